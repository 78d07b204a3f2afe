// SPDX-License-Identifier: GPL-2.0-or-later
// predict.js - the page: asks predictd for what is on screen, and shows it
//
// A view has a path of the API and a function that makes elements of its reply;
// the part of the address behind '#' names it.  It is asked for every 30
// seconds, by its ETag, and not while the tab is hidden.  All text becomes text
// nodes: a job's name is never HTML.  Numbers are those of the reply; exact ones
// stand in <data value> and <time datetime>.
'use strict';

const PERIOD_S = 30;  // between two requests of a view
const OLD_S = 180;    // a queue that is older is said to be
const PAGE = 50;      // rows of a table
const NODES = 120;    // nodes of a page
const MATRIX = 20;    // nodes of the matrix of links
const GOOD_S = 600;   // between two requests for the accuracy
const WAIT_S = 600;   // the longest that predictd may make the page wait

// --- Elements ---------------------------------------------------------------

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== undefined && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	element.append(...children.flat().filter(
		(child) => child !== undefined && child !== null && child !== ''));
	return element;
}

const h = (name, attributes, ...children) =>
	fill(document.createElement(name), attributes, children);
const s = (name, attributes, ...children) =>
	fill(document.createElementNS(SVG, name), attributes, children);

// --- Texts ------------------------------------------------------------------

const known = (x) => typeof x === 'number' && isFinite(x);
const two = (x) => String(x).padStart(2, '0');

// The same forms as in spredict's tables.
function spanText(seconds) {
	if (!known(seconds) || seconds < 0)
		return '-';
	if (seconds < 59.5)
		return seconds < 9.95 ? seconds.toFixed(1) + 's'
			: Math.round(seconds) + 's';
	const forms = [[3600, 60, 1, 'm', ''], [86400, 3600, 60, 'h', ''],
		[Infinity, 86400, 3600, 'd ', 'h']];
	for (const [below, major, minor, word, end] of forms) {
		const whole = Math.round(seconds / minor) * minor;
		const first = Math.floor(whole / major);
		const rest = Math.round((whole - first * major) / minor);

		if (whole < below)
			return first + word + (end ? rest : two(rest)) + end;
	}
}

function timeText(time_s, now_s) {
	const t = new Date(time_s * 1000), away = Math.abs(time_s - now_s);
	const clock = two(t.getHours()) + ':' + two(t.getMinutes());
	const part = (form) => new Intl.DateTimeFormat('en-GB', form).format(t);

	if (away < 12 * 3600)
		return clock;
	if (away < 6 * 86400)
		return part({ weekday: 'short' }) + ' ' + clock;
	return part(away < 300 * 86400 ? { day: '2-digit', month: 'short' }
		: { day: '2-digit', month: 'short', year: 'numeric' });
}

// Elements of a number; `name` is that of the reply's member.
const datum = (name, value, text) => known(value)
	? h('data', { value, 'data-of': name }, text) : '-';
const span = (name, seconds, guess) =>
	datum(name, seconds, (guess ? '~' : '') + spanText(seconds));
const share = (name, value) =>
	datum(name, value, Math.round(100 * value) + ' %');
const count = (name, value) => datum(name, value, String(value));
const time = (name, time_s) => known(time_s)
	? h('time', { datetime: new Date(time_s * 1000).toISOString(),
		'data-of': name, 'data-value': time_s,
		title: new Date(time_s * 1000).toLocaleString() },
	timeText(time_s, now_s())) : '-';
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

// --- Requests ---------------------------------------------------------------

const state = {
	path: '', tag: '', reply: null, // of the last good reply
	skew_s: 0,                      // predictd's clock less ours
	timer: 0, turn: 0, fails: 0,
	good: null,                     // accuracy of what predictd chose
	good_at_s: -Infinity,           // when it was asked for
	key: sessionStorage.getItem('key'),
};
const now_s = () => Date.now() / 1000 + state.skew_s;

// `spredict web` gives a token behind '#', which works once and buys a key.
async function enter() {
	const token = /^#token=([\w-]+)$/.exec(location.hash);

	if (!token)
		return;
	history.replaceState(null, '', location.pathname + '#/');
	const reply = await fetch('session', { method: 'POST',
		headers: { 'X-Predict-Token': token[1] } });

	if (reply.ok) {
		state.key = (await reply.json()).key;
		sessionStorage.setItem('key', state.key);
	}
}

async function get(path, tag) {
	const headers = {};

	if (state.key)
		headers['X-Predict-Key'] = state.key;
	if (tag)
		headers['If-None-Match'] = tag;
	const reply = await fetch(path, { headers, cache: 'no-store' });
	const date = Date.parse(reply.headers.get('Date'));

	if (date)
		state.skew_s = Math.round((date - Date.now()) / 1000);
	return reply;
}

const troubles = {
	401: 'predictd does not know who you are. Run “spredict web” in a terminal of a login node, and open the address that it prints; or ask your administrators for the page’s address behind their login.',
	403: 'You may not see this: PrivateData of slurm.conf hides it, or it is for operators.',
	404: 'There is no such thing, or it belongs to another user.',
	429: 'These were too many requests.',
	503: 'predictd is busy, or still reads its history.',
};

async function reasonOf(reply) {
	try {
		return (await reply.json()).errors[0].error;
	} catch {
		return '';
	}
}

function say(text) {
	const banner = document.getElementById('banner');

	if (banner.textContent !== text)
		banner.replaceChildren(...(text ? [h('p', {}, text)] : []));
}

// Ask for what the view shows, show it, and return the seconds until the next
// time; of a view that was left meanwhile: NaN.
async function refresh() {
	const view = current(), turn = state.turn;
	let path = view.path, reply, json;

	if (path !== state.path)
		Object.assign(state, { path, tag: '', reply: null });
	try {
		reply = await get(path, state.tag);
		if (reply.status === 404 && view.path_else) {
			path = view.path_else;
			reply = await get(path, '');
		}
		json = reply.ok ? await reply.json() : null;
	} catch { // no connection, or no JSON
		reply = null;
	}
	if (reply && reply.ok && view.first)
		await view.first();
	if (turn !== state.turn)
		return NaN;
	if (reply && reply.ok) {
		show(view, json);
		state.tag = path === view.path ? reply.headers.get('ETag') : '';
		state.reply = json;
	}
	if (reply && (reply.ok || reply.status === 304)) {
		state.fails = 0;
		say(agesText());
		return PERIOD_S;
	}
	state.fails++;
	return fail(reply, turn);
}

async function fail(reply, turn) {
	const after = reply ? parseFloat(reply.headers.get('Retry-After')) : NaN;
	const wait = known(after) ? Math.min(WAIT_S, Math.max(1, after)) : PERIOD_S;
	const again = 'Trying again in ' + plural(wait, 'second') + '.';

	if (!reply) {
		say('predictd does not answer. ' +
			(state.reply ? 'What you see is the last reply. ' : '') + again);
	} else {
		const reason = await reasonOf(reply);

		if (turn !== state.turn)
			return NaN;
		say((reply.status === 503 && reason ? 'Not now: ' + reason + '.'
			: troubles[reply.status] || reason || 'Status ' + reply.status + '.') +
			(reply.status === 429 || reply.status >= 500 ? ' ' + again : ''));
	}
	if (!state.reply)
		put(empty('Nothing to show yet.'));
	return wait;
}

function agesText() {
	const read_at_s = state.reply && state.reply.read_at_s;
	const age = known(read_at_s) ? Math.max(0, now_s() - read_at_s) : NaN;

	document.getElementById('age').textContent =
		known(age) ? 'queue read ' + plural(Math.round(age), 'second') + ' ago' : '';
	return age > OLD_S ? 'The queue was read ' + spanText(age) +
		' ago: predictd cannot read it from Slurm now.' : '';
}

async function tick() {
	clearTimeout(state.timer);
	state.timer = 0;
	if (document.hidden)
		return;
	state.timer = -1; // asking
	const turn = state.turn;
	let wait = PERIOD_S;

	try {
		wait = await refresh();
	} catch (error) { // of this script: it goes on
		console.error(error);
		say('This page cannot show what predictd replied.');
	}
	if (known(wait) && turn === state.turn) // else another view asks now
		state.timer = setTimeout(tick, 1000 * wait);
}

// --- Views ------------------------------------------------------------------

const main = () => document.getElementById('main');

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

// '#/queue?search=x' is the view queue with these options; '#/job/7' has a rest.
function current() {
	const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
	const [name, ...rest] = path.split('/').map(decoded);
	const row = Object.hasOwn(views, name) ? name : '';
	const options = new URLSearchParams(query);

	return { name: row, title: views[row].title, options, rest,
		path: views[row].path(options, rest),
		path_else: views[row].path_else && views[row].path_else(rest),
		show: views[row].show, first: views[row].first };
}

// Replace what is shown.  The focus, and what is being typed, stay.
function put(...elements) {
	const old = document.activeElement, inside = main().contains(old);

	main().replaceChildren(...elements);
	const back = inside && (old.id && document.getElementById(old.id) || main());

	if (!back)
		return;
	if (back.tagName === 'INPUT') {
		// Else another view was turned to.
		if (old.value !== old.defaultValue &&
		    old.defaultValue === back.defaultValue)
			back.value = old.value;
		if (back.value === old.value)
			back.setSelectionRange(old.selectionStart, old.selectionEnd);
	}
	back.focus({ preventScroll: true });
}

function show(view, reply) {
	put(...view.show(reply, view));
	performance.mark('shown');
}

function open(options) {
	const view = current();

	for (const [name, value] of Object.entries(options))
		if (value)
			view.options.set(name, value);
		else
			view.options.delete(name);
	location.hash = '#/' + [view.name, ...view.rest].join('/') + '?' + view.options;
}

function turn_to() {
	const view = current();

	state.turn++;
	document.title = view.title + ' – slurm-predict';
	for (const a of document.querySelectorAll('nav a'))
		if (a.getAttribute('href') === '#/' + view.name)
			a.setAttribute('aria-current', 'page');
		else
			a.removeAttribute('aria-current');
	if (view.path !== state.path && !main().querySelector('form[data-view=' +
	    (view.name || 'none') + ']'))
		put(empty('Loading …'));
	tick();
}

const columns = (heads) => h('thead', {}, h('tr', {}, heads.map(
	([text, kind]) => h('th', { scope: 'col', class: kind }, text))));
const table = (caption, heads, rows) => h('div', { class: 'scroll' },
	h('table', {}, h('caption', {}, caption), columns(heads),
		h('tbody', {}, rows.map((cells) => h('tr', {}, cells.map(
			(cell, i) => h('td', { class: heads[i][1] }, cell)))))));
const section = (title, ...children) => h('section', {}, h('h2', {}, title), children);
const empty = (text) => h('p', { class: 'quiet' }, text);

function choice(name, words, now, title) {
	const select = h('select', { id: 'choose-' + name }, Object.entries(words)
		.map(([value, text]) => h('option', { value, selected: value === now }, text)));

	select.onchange = () => open({ [name]: select.value, offset: '' });
	return h('label', {}, title, select);
}

function pages(reply, view, size) {
	const offset = Number(view.options.get('offset')) || 0;
	const step = (text, to, id) => {
		const button = h('button', { type: 'button', id,
			disabled: to < 0 || to >= Math.max(1, reply.total) }, text);

		button.onclick = () => open({ offset: to ? String(to) : '' });
		return button;
	};

	if (reply.total <= size && !offset)
		return '';
	return h('div', { class: 'pages' }, step('Back', offset - size, 'page-back'),
		h('span', {}, offset + 1 + ' to ' + Math.min(reply.total, offset + size) +
			' of ', count('total', reply.total)),
		step('On', offset + size, 'page-on'));
}

// --- Jobs -------------------------------------------------------------------

const idOf = (job) => h('a', { id: 'job-' + job.job_id,
	href: '#/job/' + job.job_id + (job.prediction_id ? '/' + job.prediction_id : '') },
job.id || job.job_id);
const nameOf = (job) => [job.own ? idOf(job) : job.id || job.job_id,
	h('small', { 'data-of': 'name' }, job.name)];
const between = (name, low, high) => known(low) && known(high)
	? h('small', {}, time(name + '_low_s', low), ' to ', time(name + '_high_s', high))
	: '';
const startOf = (job) => [time('start_s', job.start_s),
	between('start', job.start_low_s, job.start_high_s)];
const endOf = (job) => [time('end_s', job.end_s),
	between('end', job.end_low_s, job.end_high_s)];

// As spredict queue: a running job ends when what remains is over, a waiting one
// when it has started and run.
function addEnds(q) {
	for (const job of q.jobs)
		if (job.state === 'PD') {
			job.end_s = known(job.start_s) && known(job.median_s)
				? Math.max(job.start_s, q.read_at_s) + job.median_s : null;
		} else {
			const at = (left_s) => known(left_s) ? q.read_at_s + left_s : null;

			job.end_low_s = at(job.remaining_low_s);
			job.end_s = at(job.remaining_s);
			job.end_high_s = at(job.remaining_high_s);
		}
	return q;
}
const runtimeOf = (job) => [span('median_s', job.median_s, job.guess),
	known(job.quantile_s) ? h('small', {}, 'under ', span('quantile_s', job.quantile_s)) : ''];
const stateOf = (job) => h('span', { class: 'state ' +
	(job.state === 'PD' ? 'waiting' : 'running') }, job.state === 'PD'
	? 'waits' : job.state === 'R' ? 'runs' : job.state);

// How good ends were changes slowly.  Without it, the view is still one.
async function chosen() {
	if (now_s() - state.good_at_s < GOOD_S)
		return;
	state.good_at_s = now_s();
	try {
		const reply = await get('v1/accuracy');

		if (reply.ok)
			state.good = (await reply.json()).accuracy.find(
				(a) => a.model === 'chosen') || null;
	} catch {
		// The next time.
	}
}

function sentence(q) {
	const parts = [], good = state.good;

	if (good && good.runs)
		parts.push(['Of ', count('runs', good.runs), ' predicted runs ',
			known(good.coverage) ? [share('coverage', good.coverage),
				' ended within the time given; '] : '',
			'predictions were off by ', share('error', good.error),
			' of the run time.']);
	if (q.starts)
		parts.push([' ', count('starts_within', q.starts_within), ' of ',
			count('starts', q.starts), ' jobs started in the interval shown; ',
			'80 % are expected.']);
	return h('p', { class: 'lead' }, parts.length ? parts.flat(3)
		: 'No history yet: predictions appear here as jobs end.');
}

function showJobs(q) {
	const own = addEnds(q).jobs.filter((job) => job.own);
	const waiting = own.filter((job) => job.state === 'PD');
	const running = own.filter((job) => job.state !== 'PD');
	const others = q.jobs.filter((job) => !job.own);

	return [
		h('h1', {}, 'Jobs'), sentence(q),
		own.length ? '' : section('My jobs',
			empty('No jobs; yours appear here after sbatch.')),
		waiting.length ? section('My waiting jobs', table('My waiting jobs',
			[['Job', 'name'], ['Starts'], ['Runs for', 'number'], ['Ends', 'wide'],
				['Partition', 'wide'], ['Waits for', 'wide']],
			waiting.map((job) => [nameOf(job), startOf(job), runtimeOf(job),
				endOf(job), job.partition, job.reason]))) : '',
		running.length ? section('My running jobs', table('My running jobs',
			[['Job', 'name'], ['Ends'], ['Runs since', 'number'],
				['Runs for', 'number wide'], ['Partition', 'wide'], ['Nodes', 'number wide']],
			running.map((job) => [nameOf(job), endOf(job),
				span('elapsed_s', job.elapsed_s), runtimeOf(job),
				job.partition, count('nodes', job.nodes)]))) : '',
		own.length && !others.length ? h('p', {}, h('a', { id: 'mine', href: '#/queue?user=self' },
			'All my jobs')) : '',
		section('Queue', h('p', { class: 'quiet' },
			count('running', q.running), ' running, ',
			count('waiting', q.waiting), ' waiting.',
			q.others ? '' : ' PrivateData of slurm.conf hides the jobs of others.'),
		others.length ? table('Jobs of others',
			[['Job', 'name'], ['User', 'wide'], ['State'], ['Starts', 'wide'],
				['Ends'], ['Partition', 'wide']],
			others.slice(0, 12).map((job) => [nameOf(job), job.user, stateOf(job),
				job.state === 'PD' ? startOf(job) : '', endOf(job), job.partition])) : '',
		h('p', {}, h('a', { id: 'whole', href: '#/queue' }, 'The whole queue'))),
	].filter(Boolean);
}

// A bar from start to end; its range is lighter, and lies behind.
function bar(job, from, to) {
	const x = (t) => Math.max(0, Math.min(1000, 1000 * (t - from) / (to - from)));
	const rect = (kind, a, b, y, height) => known(a) && known(b)
		? s('rect', { class: kind, x: x(a).toFixed(1), y, height,
			width: Math.max(3, x(b) - x(a)).toFixed(1), rx: 2 }) : '';
	const runs = job.state !== 'PD';
	const begin = runs ? from : job.start_s;

	return s('svg', { class: 'bar', viewBox: '0 0 1000 20',
		preserveAspectRatio: 'none', 'aria-hidden': 'true' },
	s('path', { class: 'axis', d: 'M0 10H1000' }),
	runs ? rect('run-range', job.end_low_s, job.end_high_s, 2, 16)
		: rect('wait-range', job.start_low_s, job.start_high_s, 2, 16),
	rect(runs ? 'run' : 'wait', begin, job.end_s, 7, 6));
}

function showQueue(q, view) {
	const ends = addEnds(q).jobs.flatMap((job) => [job.end_high_s, job.end_s, job.start_high_s])
		.filter(known).sort((a, b) => a - b);
	const from = q.read_at_s; // to where three of four end
	const to = Math.max(from + 60, ends[Math.floor(.75 * ends.length)] || 0);
	const search = h('input', { type: 'search', id: 'search', maxlength: 60,
		value: view.options.get('search') || '' });
	const form = h('form', { 'data-view': 'queue', role: 'search' },
		h('label', {}, 'Name, user, partition or id', search),
		choice('state', { '': 'all', PD: 'waiting', R: 'running' },
			view.options.get('state') || '', 'State'),
		choice('user', { '': 'all', self: 'me' }, view.options.get('user') || '', 'Of'),
		choice('sort', { '': 'turn', start: 'start', own: 'mine first' },
			view.options.get('sort') || '', 'Order'),
		h('button', { id: 'find' }, 'Find'));

	form.onsubmit = (event) => {
		event.preventDefault();
		open({ search: search.value, offset: '' });
	};
	return [
		h('h1', {}, 'Queue'),
		h('p', { class: 'lead' }, 'Bars begin now, at ', time('read_at_s', from),
			', and end at ', time('axis_s', to), '. The broad part is where a running ',
			'job ends, or a waiting one starts, with 80 %. Later ones have none.'),
		form,
		h('section', {}, q.jobs.length ? table('Jobs in the queue',
			[['Job', 'name'], ['User', 'wide'], ['State'], ['Starts', 'wide'], ['Ends'],
				['Time', 'bars wide'], ['Nodes', 'number wide'], ['Waits for', 'wide name']],
			q.jobs.map((job) => [nameOf(job), job.user, stateOf(job),
				job.state === 'PD' ? startOf(job) : '', endOf(job),
				bar(job, from, to), count('nodes', job.nodes),
				job.state === 'PD' ? job.reason : '']))
			: empty(q.running + q.waiting ? 'No job is like that.'
				: 'No jobs; yours appear here after sbatch.'),
		pages(q, view, PAGE),
		q.others ? '' : empty('PrivateData of slurm.conf hides the jobs of others.')),
	];
}

// --- A job ------------------------------------------------------------------

// How probable it is that the run has ended, over time.
function distribution(p, elapsed_s) {
	const points = p.quantiles || [];

	if (points.length < 2 || p.unbounded)
		return '';
	const last = points[points.length - 1][1];
	const most = 1.05 * Math.max(last, known(elapsed_s) ? elapsed_s : 0);
	const x = (t) => (1000 * t / most).toFixed(1);
	const y = (q) => (200 - 190 * q).toFixed(1);
	const mark = (t) => known(t)
		? s('path', { class: 'mark', d: 'M' + x(t) + ' 5V200' }) : '';

	return h('figure', { class: 'picture' },
		s('svg', { viewBox: '0 0 1000 200', preserveAspectRatio: 'none', role: 'img',
			'aria-label': 'How probable it is that the job has ended, over its run time' },
		s('path', { class: 'axis', d: 'M0 200H1000M0 105H1000M0 10H1000' }),
		s('path', { class: 'curve', d: 'M0 200L' + points.map(
			([q, t]) => x(t) + ' ' + y(q)).join('L') }), mark(elapsed_s)),
		h('div', { class: 'ends' }, h('span', {}, '0'), h('span', {}, known(elapsed_s)
			? 'the line is now: ' + spanText(elapsed_s) : 'probability to have ended'),
		h('span', {}, spanText(most))));
}

const facts = (rows) => h('dl', {}, rows.filter(([, value]) => value !== '' &&
	value !== '-' && value !== undefined && value !== null).map(
	([name, value]) => [h('dt', {}, name), h('dd', {}, value)]).flat());

const levels = { application: 'of this application', user: 'of this user',
	site: 'of the site', none: '' };

function basisOf(p) {
	if (p.basis !== 'history')
		return p.basis === 'limit' ? 'the time limit alone' : 'nothing: no history yet';
	return [count('evidence_runs', p.evidence_runs), ' runs ',
		levels[p.evidence_level] || '', p.judged ? '; of the last ' + p.judged +
		' predictions ' + p.held + ' held' : ''];
}

function showJob(reply, view) {
	const job = reply.job || {}; // none: it waits, and the newest counts
	const p = !reply.job && reply.waiting_prediction || reply.prediction || {};
	const guess = p.basis !== 'history' || ['none', 'site'].includes(p.evidence_level);
	const stages = [['at submission', reply.submission_prediction],
		['while it waited', reply.waiting_prediction], ['at its start',
			p.stage === 'start' ? p : null]].filter(([, q]) => q);
	const ended = known(job.ended_at_s);

	return [
		h('h1', {}, 'Job ' + view.rest[0], ' ',
			h('span', { 'data-of': 'job_name' }, job.job_name || p.job_name || '')),
		section('Run time', facts([
			['Expected', span('median_s', p.median_s, guess)],
			['Under, with ' + Math.round(100 * (p.quantile || 0)) + ' %',
				guess || p.unbounded ? '' : span('quantile_s', p.quantile_s)],
			['Rests on', basisOf(p)],
			['State', ended ? job.state : known(job.started_at_s) ? 'running' : 'waiting'],
			['Runs since', ended ? '' : span('elapsed_s', job.elapsed_s)],
			['Left', ended ? '' : span('remaining_s', job.remaining_s)],
			['Left, at most', ended ? '' : span('remaining_high_s', job.remaining_high_s)],
			['It took', ended ? span('runtime_s', job.runtime_s) : ''],
			['Limit', span('limit_s', known(p.limit_s) ? p.limit_s : job.limit_s)],
			['Nodes', job.node_list || p.assumed_nodes],
			['Application', p.application || job.application],
			['Model', p.model],
			['Error last time', known(p.last_error) ? share('last_error', p.last_error) : ''],
		]), distribution(p, ended ? job.runtime_s : job.elapsed_s)),
		stages.length ? section('Predicted and actual', table('Predictions of this job',
			[['When'], ['Expected', 'number'], ['At most', 'number'], ['Actual', 'number']],
			stages.map(([when, q]) => [when, span('median_s', q.median_s),
				q.unbounded ? '-' : span('quantile_s', q.quantile_s),
				ended ? span('runtime_s', job.runtime_s) : '-']))) : '',
		(p.evidence || []).length ? section('Runs it rests on', table('Runs',
			[['Job'], ['Run time', 'number'], ['Weight', 'number']],
			p.evidence.slice(0, 20).map((run) => [String(run.job_id),
				span('runtime_s', run.runtime_s), share('weight', run.weight)]))) : '',
		reply.use ? section('What it used', facts([
			['Of its time', share('time_used', reply.use.time_used)],
			['Of its CPUs', share('cpu_used', reply.use.cpu_used)],
			['Of its memory', share('memory_used', reply.use.memory_used)],
			['Next time', reply.advice && reply.advice.options
				? h('code', {}, reply.advice.options) : ''],
		])) : '',
	].filter(Boolean);
}

// --- Nodes ------------------------------------------------------------------

const soon = (node) => node.forecast && node.forecast.cpu_available;

function showNodes(reply, view) {
	return [
		h('h1', {}, 'Nodes'),
		h('p', { class: 'lead' }, 'What a new process would get of a CPU, now and in ',
			'the next minutes. A dashed border: not measured lately. ',
			h('a', { id: 'links', href: '#/links' }, 'Links between nodes')),
		reply.nodes.length ? h('ul', { class: 'nodes' }, reply.nodes.map((node) => {
			const a = h('a', { id: 'node-' + node.node, class: node.fresh ? '' : 'old',
				href: '#/node/' + encodeURIComponent(node.node) + '/' +
					encodeURIComponent(node.cluster) },
			h('b', {}, node.node), h('br'), share('cpu_available', node.cpu_available),
			' now', soon(node) ? h('small', {}, 'then ',
				share('cpu_forecast', soon(node).value)) : '',
			node.speed && node.speed.slow ? h('small', {}, 'slow') : '');

			a.style.setProperty('--part', 100 * (node.cpu_available || 0) + '%');
			return h('li', {}, a);
		})) : empty('No node has been measured: collectord runs on none, or none has reported.'),
		pages(reply, view, NODES),
	];
}

function showNode(reply, view) {
	const series = reply.series, samples = series.samples || [];
	const f = (series.forecasts || [])[0];
	const first = samples.length ? samples[0][0] : 0;
	const last = samples.length ? samples[samples.length - 1][0] : 1;
	const ahead = f ? Math.max(f.horizon_s || 0, (last - first) / 8) : 0;
	const x = (t) => (1000 * (t - first) / (last + ahead - first || 1)).toFixed(1);
	const y = (v) => (200 - 190 * Math.max(0, Math.min(1, v))).toFixed(1);

	return [
		h('h1', {}, view.rest[0]),
		section('CPU that a new process would get', samples.length
			? h('figure', { class: 'picture' }, s('svg', { viewBox: '0 0 1000 200',
				preserveAspectRatio: 'none', role: 'img',
				'aria-label': 'Samples over time, and the forecast with its 80 % band' },
			f ? s('rect', { class: 'run-range', x: x(last), y: y(f.high),
				width: (1000 - x(last)).toFixed(1),
				height: Math.max(2, y(f.low) - y(f.high)).toFixed(1) }) : '',
			s('path', { class: 'axis', d: 'M0 200H1000M0 105H1000M0 10H1000' }),
			s('path', { class: 'curve', d: 'M' + samples.map(
				([t, v]) => x(t) + ' ' + y(v)).join('L') })),
			h('div', { class: 'ends' }, h('span', {}, time('first_s', first)),
				h('span', {}, time('last_s', last)))) : empty('No samples yet.'),
		facts([
			['Now', samples.length ? share('value', samples[samples.length - 1][1]) : ''],
			['Forecast', f ? [share('forecast', f.value), ', with 80 % between ',
				share('low', f.low), ' and ', share('high', f.high)] : ''],
			['Method', f ? f.method : ''],
		])),
	];
}

function showLinks(reply) {
	const nodes = [...new Set(reply.links.flatMap((l) => [l.from, l.to]))].sort()
		.slice(0, MATRIX);
	const rate = new Map(reply.links.map((l) => [l.from + ' ' + l.to, l.bandwidth_bps]));
	const cell = (bps) => known(bps) ? datum('bandwidth_bps', bps,
		bps < 1e8 ? (bps / 1e6).toPrecision(3) : String(Math.round(bps / 1e6))) : '';

	return [
		h('h1', {}, 'Links'),
		h('p', { class: 'lead' }, 'Measured bandwidth in Mbit/s, from the node of a row ',
			'to that of a column', reply.total > reply.links.length
				? '; a part of ' + reply.total + ' links.' : '.'),
		h('section', {}, nodes.length ? h('div', { class: 'scroll' },
			h('table', { class: 'matrix' }, h('caption', {}, 'Links between nodes'),
				columns([['from'], ...nodes.map((node) => [node])]),
				h('tbody', {}, nodes.map((a) => h('tr', {},
					h('th', { scope: 'row' }, a),
					nodes.map((b) => h('td', {}, cell(rate.get(a + ' ' + b)))))))))
			: empty('No link has been measured.')),
	];
}

// --- How good, and my runs --------------------------------------------------

const TICKS = [[.1, '0.1 s'], [1, '1 s'], [10, '10 s'], [60, '1 min'], [600, '10 min'],
	[3600, '1 h'], [6 * 3600, '6 h'], [86400, '1 d'], [7 * 86400, '7 d'],
	[30 * 86400, '30 d'], [365 * 86400, '1 year']];
const SIDE = 300;     // of the picture, without its margins
const LABELS = 8;     // groups of the picture that have their names in it

// Mean run times over mean predictions, both logarithmic: a dot for each group.
// What it shows is in the table, too.
function scatter(rows) {
	const dots = rows.filter((a) => a.mean_s > 0 && a.predicted_mean_s > 0);
	const both = dots.flatMap((a) => [a.mean_s, a.predicted_mean_s]);
	const ends = TICKS.map(([t]) => t); // of the axes
	const from = ends.findLast((t) => t <= Math.min(...both)) || ends[0];
	const to = ends.find((t) => t > Math.max(...both)) || ends.at(-1);
	const at = (t) => Math.max(0, Math.min(SIDE,
		SIDE * Math.log(t / from) / Math.log(to / from)));
	const x = (a) => at(a.predicted_mean_s), y = (a) => SIDE - at(a.mean_s);
	const size = (a) => Math.min(12, 3 + Math.sqrt(a.predicted) / 3);
	const ticks = TICKS.filter(([t]) => t >= from && t <= to);
	const text = (kind, left, top, words) => s('text', { class: kind,
		x: left.toFixed(1), y: top.toFixed(1) }, words);
	const labels = [];
	// Beside its dot, away from the line, or where no room is, past the dot.
	const label = (a) => {
		const above = a.mean_s > a.predicted_mean_s, out = size(a) + 4;
		const room = above ? x(a) > SIDE / 3 : x(a) < 2 * SIDE / 3;

		return text(above === room ? 'left' : '', x(a) + (room ? above ? -out : out : 0),
			y(a) + (room ? 4 : above ? -out : out + 8), (a.group || '(none)').slice(0, 20));
	};

	for (const a of dots.slice(0, LABELS)) // where there is room
		if (labels.every((b) => Math.abs(y(a) - y(b)) > 14))
			labels.push(a);
	return !dots.length ? '' : h('figure', { class: 'scatter' },
		s('svg', { viewBox: '-50 -26 ' + (SIDE + 72) + ' ' + (SIDE + 62), role: 'img',
			'aria-label': 'Mean run times over mean predictions; the table has them' },
		s('path', { class: 'axis', d: 'M0 0V' + SIDE + 'H' + SIDE + ticks.map(([t]) =>
			'M' + at(t).toFixed(1) + ' 0V' + SIDE +
			'M0 ' + (SIDE - at(t)).toFixed(1) + 'H' + SIDE).join('') }),
		ticks.flatMap(([t, words]) => [text('tick', at(t), SIDE + 15, words),
			text('tick left', -6, SIDE - at(t) + 4, words)]),
		s('path', { class: 'mark', d: 'M0 ' + SIDE + 'L' + SIDE + ' 0' }),
		dots.map((a) => s('circle', { cx: x(a).toFixed(1), cy: y(a).toFixed(1),
			r: size(a).toFixed(1) }, s('title', {}, (a.group || '(none)') +
			': predicted ' + spanText(a.predicted_mean_s) + ', took ' +
			spanText(a.mean_s)))),
		labels.map(label),
		text('tick left', SIDE, SIDE + 32, 'predicted'),
		text('tick left', -6, -14, 'took')),
		h('figcaption', { class: 'quiet' }, 'A dot is a group, larger with more runs. ',
			'On the line a mean run time is what was predicted; above it, runs took longer.'));
}

function showGood(reply, view) {
	const by = view.options.get('by') || 'application';
	const rows = reply.accuracy.filter((a) => a.stage === 'submission');

	return [
		h('h1', {}, 'How good'),
		h('p', { class: 'lead' }, 'Predictions at submission, compared with the runs ',
			'that have ended since. A month shows whether they drift.'),
		h('form', { 'data-view': 'good' }, choice('by', { application: 'application',
			month: 'month', partition: 'partition' }, by, 'By')),
		h('section', {}, rows.length ? table('Accuracy of predictions',
			[['Group', 'name'], ['Runs', 'number'], ['Predicted', 'number wide'],
				['Took', 'number wide'], ['Expected', 'number wide'],
				['Error', 'number'], ['Within the time given', 'number'],
				['To expect', 'number wide'], ['Longer than expected', 'number wide'],
				['Error of limits', 'number wide']],
			rows.slice(0, PAGE).map((a) => [a.group || '(none)', count('runs', a.runs),
				count('predicted', a.predicted), span('mean_s', a.mean_s),
				span('predicted_mean_s', a.predicted_mean_s), share('error', a.error),
				share('coverage', a.coverage), share('quantile', a.quantile),
				share('under', a.under), share('limit_error', a.limit_error)]))
			: empty('No history yet: no predicted run has ended.'),
		scatter(rows.slice(0, PAGE))),
	];
}

function showRuns(reply, view) {
	const by = view.options.get('by') || 'application';

	return [
		h('h1', {}, 'My runs'),
		h('p', { class: 'lead' }, 'What my runs used of what they requested, and what ',
			'to request next time.'),
		h('form', { 'data-view': 'runs' }, choice('by', { application: 'application',
			day: 'day', account: 'account' }, by, 'By')),
		h('section', {}, reply.report.length ? table('Use of my runs',
			[['Group', 'name'], ['Runs', 'number'], ['Mean time', 'number'],
				['Of the time', 'number'], ['Of the CPUs', 'number wide'],
				['Of the memory', 'number wide'], ['Next time', 'wide name']],
			reply.report.slice(0, PAGE).map((g) => [g.group || '(none)',
				count('runs', g.runs), span('runtime_s', g.runtime_s),
				share('time_used', g.time_used), share('cpu_used', g.cpu_used),
				share('memory_used', g.memory_used), g.advice && g.advice.options
					? h('code', {}, g.advice.options) : '-']))
			: empty('No run of yours has ended yet.')),
	];
}

const query = (path, options, fixed) => path + '?' + new URLSearchParams(
	[...Object.entries(fixed), ...options].filter(([, value]) => value));
const part = encodeURIComponent;

const views = {
	'': { title: 'Jobs', show: showJobs, first: chosen,
		path: () => 'v1/queue?sort=own&limit=' + PAGE },
	queue: { title: 'Queue', show: showQueue,
		path: (options) => query('v1/queue', options, { limit: PAGE }) },
	job: { title: 'Job', show: showJob,
		path: (options, rest) => 'v1/jobs/' + part(rest[0] || '0'),
		path_else: (rest) => rest[1] && 'v1/predictions/' + part(rest[1]) },
	nodes: { title: 'Nodes', show: showNodes,
		path: (options) => query('v1/nodes', options, { limit: NODES }) },
	node: { title: 'Node', show: showNode,
		path: (options, rest) => query('v1/series/cpu_available', [],
			{ node: rest[0] || '', cluster: rest[1] || '' }) },
	links: { title: 'Links', show: showLinks,
		path: () => 'v1/links?limit=' + MATRIX * MATRIX },
	good: { title: 'How good', show: showGood,
		path: (options) => query('v1/accuracy',
			options.has('by') ? options : [['by', 'application']], { limit: 2 * PAGE }) },
	runs: { title: 'My runs', show: showRuns,
		path: (options) => query('v1/report', options, { limit: PAGE }) },
};

document.addEventListener('visibilitychange', () => {
	if (!document.hidden && !state.timer)
		tick();
});
// An address with a new token may be opened where the page is shown.
const arrive = () => enter().catch(() => 0).then(turn_to);

addEventListener('hashchange', arrive);
// '#main' would be the name of a view.
document.querySelector('.skip').onclick = (event) => {
	event.preventDefault();
	main().focus();
};
setInterval(() => state.reply && !document.hidden && !state.fails && say(agesText()), 5000);
arrive();
