/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret_forms.c - names, clients and forms that make a word a secret
 *
 * Prefixes of keys are those that the services document, or that their keys
 * have; lengths are the least that was seen, so that a key of a later version
 * counts, too.  Lists are words with a blank before and behind each.
 */
#include <stdint.h>
#include <strings.h>

#include "predictor/features/secret_forms.h"

const unsigned short secret_classes[256] = {
	['a' ... 'z'] = LOWER, ['A' ... 'Z'] = UPPER, ['0' ... '9'] = DIGIT,
	['='] = PAIR,          [':'] = PAIR,          ['!'] = SIGN,
	['#' ... '%'] = SIGN,  ['*' ... '+'] = SIGN,  ['@'] = SIGN,
	['^'] = SIGN,          ['~'] = SIGN,          ['/'] = PATH,
	['.'] = DOT,           ['-'] = JOIN,          ['_'] = JOIN,
	['\''] = QUOTE,        ['"'] = QUOTE,         ['\0'] = BLANK,
	['\t'] = BLANK,        ['\r'] = BLANK,        [' '] = BLANK,
	['\n'] = BLANK | END,  [';'] = END,           ['|'] = END,
	['&'] = END,           ['(' ... ')'] = OTHER, [','] = OTHER,
	['<'] = OTHER,         ['>' ... '?'] = OTHER, ['[' ... ']'] = OTHER,
	['`'] = OTHER,         ['{'] = OTHER,         ['}'] = OTHER,
};

static unsigned classes_of(const char *text, size_t length)
{
	unsigned classes = 0;

	for (size_t i = 0; i < length; i++)
		classes |= class_of(text[i]);
	return classes;
}

size_t secret_span_of(unsigned classes, const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && class_of(text[at]) & classes)
		at++;
	return at;
}

static bool list_has(const char *list, const char *text, size_t length)
{
	char word[24] = " ";

	if (!length || length + 3 > sizeof(word))
		return false;
	for (size_t i = 0; i < length; i++)
		word[i + 1] = (char)(text[i] |
				     (class_of(text[i]) == UPPER ? 0x20 : 0));
	word[length + 1] = ' ';
	return strstr(list, word);
}

/* Return whether the text ends with a word of the list as its last part. */
static bool list_ends(const char *list, const char *text, size_t length)
{
	for (const char *word = list + 1; *word;) {
		size_t size = strcspn(word, " ");

		if (size <= length &&
		    !strncasecmp(text + length - size, word, size) &&
		    (size == length ||
		     !(class_of(text[length - size - 1]) & LETTER)))
			return true;
		word += size + 1;
	}
	return false;
}

/* --- Names ---------------------------------------------------------------- */

static const struct secret_words {
	int kind;
	bool inside; /* also as the end of a longer word: DBPASSWORD */
	const char *list;
} secret_words[] = {
	{ NAME_SURE, true,
	  " password passwords passwd passphrase passcode secret secrets "
	  "credential credentials apikey authorization " },
	{ NAME_PASS, true, " pass pwd " },
	{ NAME_KEY, true, " token " },
	{ NAME_KEY, false, " key auth cookie cookies bearer jwt " },
	{ NAME_PIN, false, " pin pincode otp " },
	{ NAME_BARE, false, " pat " },
	{ NAME_LOGIN, false, " sig signature login " },
	{ NAME_NONE, false, NULL },
};

/* Before a key, a token or a pass these make it none. */
static const char harmless_before[] =
	" sort primary foreign group partition index row column dict json "
	"obs batch label cluster cell join merge hot mon tur don public pad "
	"padding eos bos sep cls mask unk special stop start end image per "
	"max min num n next new first last time text mean high low band by "
	"com one two three multi single second tres over under forward "
	"backward no sub data ";

/* Behind such a word these make the name one of something else. */
static const char harmless_after[] =
	" file path dir folder name len length size count num type limit "
	"budget dim mode width bits rate per policy embedding embeddings max "
	"min stdin fd env prompt command url host port method frame point "
	"points word words mixer mixing level dropout ratio list column "
	"field store manager offset stride index ids through server ";

/* Return the kind of a name that has a word of the row, `size` bytes at
 * `at`. */
static int name_at(const struct secret_words *row, const char *name,
		   size_t length, size_t at, size_t size)
{
	const char *rest = name + at + size;
	size_t left = length - at - size, before = at;

	/* A folder of that name is none. */
	if ((left && class_of(*rest) & (LETTER | PATH)) ||
	    (at && class_of(name[at - 1]) & LETTER && !row->inside &&
	     !(class_of(name[at]) == UPPER &&
	       class_of(name[at - 1]) == LOWER)) ||
	    (left > 1 && class_of(*rest) & (JOIN | DOT) &&
	     list_has(harmless_after, rest + 1,
		      secret_span_of(LETTER, rest + 1, left - 1))))
		return NAME_NONE;
	while (before && class_of(name[before - 1]) & (JOIN | DOT))
		before--;
	return row->kind != NAME_SURE &&
			       list_ends(harmless_before, name, before)
		       ? NAME_NONE
		       : row->kind;
}

/* Return whether a secret word may begin so; most others do not. */
static bool may_begin(const char *text)
{
	static const char seconds[256][4] = {
		['p'] = "awi", ['s'] = "ei", ['c'] = "ro", ['a'] = "pu",
		['t'] = "o",   ['k'] = "e",  ['b'] = "e",  ['j'] = "w",
		['l'] = "o",   ['o'] = "t"
	};
	const char *second = seconds[(unsigned char)(text[0] | 0x20)];
	char c = (char)(text[1] | 0x20);

	return *second && (c == second[0] || c == second[1] || c == second[2]);
}

/* Return the kind of a name by what is at `at` of it. */
static int name_from(const char *name, size_t length, size_t at)
{
	for (const struct secret_words *row = secret_words; row->list; row++)
		for (const char *word = row->list + 1; *word;) {
			size_t size = strcspn(word, " ");
			int kind = NAME_NONE;

			if (at + size <= length &&
			    !strncasecmp(name + at, word, size))
				kind = name_at(row, name, length, at, size);
			if (kind != NAME_NONE)
				return kind;
			word += size + 1;
		}
	return NAME_NONE;
}

int secret_name(const char *name, size_t length)
{
	int kind = NAME_NONE;

	for (size_t at = 0; at + 3 <= length && kind == NAME_NONE; at++)
		if (may_begin(name + at))
			kind = name_from(name, length, at);
	return kind;
}

bool secret_is_scheme(const char *word, size_t length)
{
	return list_has(" bearer basic token digest apikey ", word, length);
}

/* --- Clients -------------------------------------------------------------- */

static const struct secret_client {
	const char *list;
	char letter;
} clients[] = {
	[CLIENT_NONE] = { " ", '\0' },
	[CLIENT_LOGIN] = { " ", 'p' },
	{ " mysql mysqldump mysqladmin mysqlimport mariadb 7z 7za sshpass "
	  "mongo mongosh mongodump mongoimport cqlsh twine ",
	  'p' },
	{ " redis-cli ", 'a' },
	{ " sqlcmd bcp isql zip unzip ipmitool ", 'P' },
	{ " curl lftp ", 'u' },
	{ " openssl ", 'k' },
	{ " smbclient ", 'U' },
	{ " ldapsearch ldapadd ldapmodify ", 'w' },
	{ NULL, '\0' },
};

int secret_client(const char *word, size_t length)
{
	const char *slash = memrchr(word, '/', length);

	if (slash) {
		length -= (size_t)(slash + 1 - word);
		word = slash + 1;
	}
	if (length && strchr("ms7ctrbizulo", *word))
		for (int i = CLIENT_LOGIN + 1; clients[i].list; i++)
			if (list_has(clients[i].list, word, length))
				return i;
	return CLIENT_NONE;
}

bool secret_is_reader(const char *word, size_t length)
{
	return list_has(" kinit iinit passwd chpasswd smbpasswd vncpasswd ",
			word, length);
}

char secret_client_letter(int client)
{
	return clients[client].letter;
}

/* --- Values --------------------------------------------------------------- */

/* Return whether the value has at least `least` bytes, and looks as if nobody
 * would call a file or a host so. */
static bool looks_typed(const char *value, size_t length, size_t least)
{
	unsigned has = classes_of(value, length);
	unsigned later = classes_of(value + 1, length - 1);
	size_t end = length > 8 ? length - 8 : 0;

	if (has == DIGIT)
		return length >= 4 && least < 12;
	/* Paths, pairs, and what has an extension. */
	if (has & PATH ||
	    (!(has & SIGN) &&
	     (has & PAIR || memchr(value + end, '.', length - end))))
		return false;
	return length >= least &&
	       (has & (DIGIT | SIGN) || (has & LOWER && later & UPPER));
}

/* Return whether it is a number such as -1, .125 or 1e-05. */
static bool is_number(const char *value, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_one_of("0123456789+-.eE", value[i]))
			return false;
	return true;
}

static bool is_masked(const char *value, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (value[i] != '*')
			return false;
	return true;
}

/* Return whether a text stands for a value: $NAME, ${NAME}, $(COMMAND), %NAME%,
 * %s, <what>, {what}.  Within single quotes a dollar is one; outside of quotes
 * the end of the others may be cut. */
static bool is_reference(const char *value, size_t length, char quote)
{
	char last = value[length - 1];
	size_t name;

	switch (*value) {
	case '`':
		return true;
	case '$':
		name = 1 + secret_span_of(ALNUM | JOIN, value + 1, length - 1);
		return quote != '\'' &&
		       (length == 2 || name == length ||
			is_one_of(name > 1 ? "/.:$\"\\" : "{(", value[name]));
	case '%':
		return length <= 3 || last == '%' || is_one_of("{(", value[1]);
	case '<':
		return !quote || last == '>';
	case '{':
		return !quote || last == '}';
	default:
		return *value == '*' && (!quote || is_masked(value, length));
	}
}

bool secret_value(int kind, const char *value, size_t length, char quote)
{
	static const char plain[] =
		" on off yes no true false auto none null nil default all "
		"any both never always required optional enable disable "
		"enabled disabled ask prompt stdin munge basic digest "
		"kerberos ldap is in ";
	bool digits = secret_span_of(DIGIT, value, length) == length;

	/* A reference, an option, a placeholder, or the mark. */
	if (!length || is_reference(value, length, quote) ||
	    memmem(value, length, SECRET_MARK, strlen(SECRET_MARK)) ||
	    (*value == '-' && length > 1 && class_of(value[1]) != DIGIT) ||
	    list_has(plain, value, length))
		return false;
	switch (kind) {
	case NAME_PIN:
		return digits && length >= 4 && length <= 12;
	case NAME_PASS:
	case NAME_KEY:
		if (digits)
			return length >= (kind == NAME_KEY ? 10 : 4);
		/* Neither a path nor another number, as 1e-3 or 512k. */
		return !(class_of(*value) & (PATH | DOT)) &&
		       !is_number(value, length) &&
		       (class_of(*value) != DIGIT ||
			secret_span_of(DIGIT, value, length) + 3 < length);
	case NAME_BARE:
		return looks_typed(value, length, 6);
	case NAME_LOGIN:
		return looks_typed(value, length, 12);
	default:
		return true;
	}
}

/* --- Addresses ------------------------------------------------------------ */

/* Return where the secret begins in user:password of an address; `end`: a
 * variable has it. */
static const char *address_secret(const char *user, const char *end)
{
	const char *password = user;

	if (is_one_of("$*", *user)) {
		const char *brace = memchr(user, '}', (size_t)(end - user));

		password = brace && user[1] == '{' ? brace : user;
		password = memchr(password, ':', (size_t)(end - password));
		password = password ? password + 1 : end;
	}
	return password < end && is_one_of("$*", *password) ? end : password;
}

/* The user of scheme://user:password@host, and what a hook is called by. */
static bool find_address(const char *word, size_t length,
			 struct secret_span *ret)
{
	static const char *const hooks[] = { "/services/T", "/webhooks/" };
	const char *start = memmem(word, length, "://", 3), *at;
	size_t size;

	if (!start)
		return false;
	start += 3;
	size = (size_t)(word + length - start);
	for (int i = 0; i < 2; i++) {
		const char *hook =
			memmem(start, size, hooks[i], strlen(hooks[i]));

		if (hook && hook + 24 < word + length)
			return set_span(
				ret, (size_t)(hook - word) + strlen(hooks[i]),
				length, SECRET_ADDRESS);
	}
	at = memchr(start, '/', size);
	at = memrchr(start, '@', at ? (size_t)(at - start) : size);
	if (!at)
		return false;
	start = address_secret(start, at);
	return set_span(ret, (size_t)(start - word), (size_t)(at - word),
			SECRET_ADDRESS);
}

/* user@host.domain, but not package@1.2, icon@2x.png and git@host. */
static bool find_mail(const char *word, size_t length, struct secret_span *ret)
{
	const unsigned classes = ALNUM | JOIN | DOT | SIGN;
	size_t at = 0, end, start, dot;

	while (at < length && word[at] != '@')
		at++;
	if (!at || at + 4 > length || word[at - 1] == '*' ||
	    !(class_of(word[at + 1]) & LETTER))
		return false;
	for (start = at; start && class_of(word[start - 1]) & classes;)
		start--;
	end = at + 1 + secret_span_of(classes, word + at + 1, length - at - 1);
	for (dot = end - 1; dot > at && word[dot] != '.';)
		dot--;
	return start < at && dot > at && end > dot + 2 &&
	       secret_span_of(LETTER, word + dot + 1, 2) == 2 &&
	       (at - start != 3 || memcmp(word + start, "git", 3)) &&
	       set_span(ret, start, end, SECRET_MAIL);
}

/* --- Keys of services ----------------------------------------------------- */

/* Prefixes, and of what follows the least length and the least number of digits
 * and capitals: sk-learn-of-somebody is a name. */
static const struct secret_prefixes {
	size_t least, counted;
	const char *list;
} prefixes[] = {
	{ 12, 4,
	  " AGPA AIDA AKIA AROA ASIA LTAI glcbt- gldt- glft- glpat- glrt- "
	  "glsoat- pk_live_ pk_test_ rk_live_ rk_test_ sk_live_ sk_test_ "
	  "tskey- xapp- xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- " },
	{ 20, 4,
	  " AGE-SECRET-KEY- AIza AKID ATATT3 ATBB EAAC GOCSPX- NRAK- PMAK- "
	  "SG. api_org_ dckr_pat_ eyJ figd_ fw_ gho_ ghp_ ghr_ ghs_ ghu_ "
	  "github_pat_ glagent- gloas- glptt- glsa_ gsk_ hf_ hvb. hvs. "
	  "lin_api_ npm_ ntn_ nvapi- pplx- pscale_tkn_ pypi- r8_ secret_ "
	  "sgp_ sk- sntrys_ sq0atp- sq0csp- whsec_ xai- ya29. " },
	{ 32, 8,
	  " dapi dop_v1_ doo_v1_ dor_v1_ key- pul- rubygems_ sbp_ "
	  "shpat_ shpca_ shppa_ shpss_ " },
	{ 0, 0, NULL },
};

/* Return the length of the key that the text begins with, 0: none; `length`
 * bytes of it are of keys. */
static size_t match_key(const char *text, size_t length)
{
	for (const struct secret_prefixes *p = prefixes; p->list; p++)
		for (const char *word = p->list + 1; *word;) {
			size_t size = strcspn(word, " "), counted = 0;

			if (*word == *text && size + p->least <= length &&
			    !memcmp(text, word, size)) {
				for (size_t i = size;
				     i < length && counted < p->counted; i++)
					counted += class_of(text[i]) == DIGIT ||
						   class_of(text[i]) == UPPER;
				if (counted >= p->counted)
					return length;
			}
			word += size + 1;
		}
	return 0;
}

static bool find_key(const char *word, size_t length, struct secret_span *ret)
{
	for (size_t at = 0, end = 0; at + 15 < length; at++) {
		if (!(class_of(word[at]) & LETTER) ||
		    (at && class_of(word[at - 1]) & ALNUM))
			continue;
		if (end <= at)
			end = at + secret_span_of(ALNUM | JOIN | DOT, word + at,
						  length - at);
		if (end - at > 15 && match_key(word + at, end - at))
			return set_span(ret, at, end, SECRET_KEY);
	}
	return false;
}

/* --- Random texts --------------------------------------------------------- */

/* Return whether letters and digits change as they do in no name; molecules
 * and sequences have few different ones.  *hash: it has the length and the
 * digits of a hash. */
static bool is_random(const char *text, size_t length, bool *hash)
{
	size_t turns = 0, distinct, hex = 0;
	uint64_t seen[2] = { 0, 0 };
	unsigned has = classes_of(text, length);

	for (size_t i = 0; i < length; i++) {
		unsigned c = class_of(text[i]);
		unsigned before = class_of(i ? text[i - 1] : text[i]);

		bool title = before == UPPER && c == LOWER &&
			     (i < 2 || class_of(text[i - 2]) != UPPER);

		turns += !((c | before) & JOIN) && c != before && !title;
		hex += c & (DIGIT | JOIN) || (text[i] | 0x20) <= 'f';
		seen[text[i] >> 6 & 1] |= UINT64_C(1) << (text[i] & 63);
	}
	distinct = (size_t)__builtin_popcountll(seen[0]);
	distinct += (size_t)__builtin_popcountll(seen[1]);
	*hash = hex == length && length >= 32 && length % 8 == 0 &&
		has & LETTER && has & DIGIT && !(has & JOIN);
	if (length < 20 || !(has & DIGIT) || hex == length)
		return false;
	if (has & LOWER && has & UPPER)
		return 10 * turns >= 3 * length &&
		       distinct >= (length < 40 ? length * 5 / 8 : 24);
	return length >= 24 && 5 * turns >= length && distinct >= 13 &&
	       !(has & JOIN);
}

static bool find_random(const struct secret_scan *scan, const char *word,
			size_t length, struct secret_span *ret)
{
	/* What says that a hash that stands alone is no key. */
	static const char hashes[] =
		" commit rev sha sha1 sha256 sha512 md5 hash digest checksum "
		"git tag uuid id ref branch version revision checkout "
		"fingerprint image blob snapshot reset show build container "
		"guid etag mask ";
	bool hash, other;

	for (size_t start = 0, size; start < length; start += size + 1) {
		const char *at = word + start;
		bool own = start && class_of(at[-1]) == PAIR;

		size = secret_span_of(ALNUM, at, length - start);
		if (is_random(at, size, &hash) ||
		    is_random(at,
			      secret_span_of(ALNUM | JOIN, at, length - start),
			      &other)) {
			while (start && word[start - 1] != '=')
				start--;
			return set_span(ret, start, length, SECRET_RANDOM);
		}
		if (hash && (!start || own) && start + size == length &&
		    !list_ends(hashes, own ? word : scan->before,
			       own ? start - 1 : scan->before_length))
			return set_span(ret, start, length, SECRET_RANDOM);
	}
	return false;
}

bool secret_form_find(const struct secret_scan *scan, const char *word,
		      size_t length, size_t most, struct secret_span *ret)
{
	unsigned has = classes_of(word, length);

	return (has & PAIR && has & PATH && find_address(word, most, ret)) ||
	       (length > 15 && has & (UPPER | DIGIT) &&
		find_key(word, length, ret)) ||
	       (has & SIGN && find_mail(word, length, ret)) ||
	       (has & DIGIT && length >= 20 &&
		find_random(scan, word, length, ret));
}
