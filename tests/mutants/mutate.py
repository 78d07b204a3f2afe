# SPDX-License-Identifier: GPL-2.0-or-later
"""mutate.py - small wrong changes of C sources, chosen at random

A source is read as tokens.  Only statements in functions are changed: no
declarations without a value, no logs, no assertions, no texts.  A place is
chosen by a hash of the seed and the line, not by its number, so that a change
elsewhere leaves the other mutants as they are.
"""
import hashlib
import os
import re
from collections import namedtuple

TOKEN = re.compile(r'''
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
            |[-+*/%&|^~!<>=?:;,.(){}\[\]])
''', re.X | re.S | re.M)

Token = namedtuple('Token', 'kind text at')

# Calls that only tell something to people or to the next maintainer.
QUIET = re.compile(r'^(slurm_(info|error|debug\d?|verbose)|info|error|verbose'
                   r'|debug\d?|assert|sp_error_\w+|log_\w+|reason_\w+'
                   r'|static_assert|va_start|va_end)$')

TYPE = re.compile(r'^(const|static|struct|enum|union|unsigned|signed|void|char'
                  r'|short|int|long|float|double|bool|size_t|ssize_t|[a-z]\w*_t'
                  r'|FILE|DIR|_Atomic|extern|va_list)$')

SWAPPED = {
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
    '+': '-', '-': '+', '*': '/', '/': '*', '+=': '-=', '-=': '+=',
    '&&': '||', '||': '&&',
}
BINARY = '+-*/'  # these also stand before a single operand

# What a change is of: offsets in the text, what stands there then, and
# its name.
Change = namedtuple('Change', 'start end new name')
Mutant = namedtuple('Mutant', 'key path line old new change')


def tokens_of(text):
    return [Token(m.lastgroup, m.group(), m.start())
            for m in TOKEN.finditer(text) if m.lastgroup != 'skip']


def functions_of(tokens):
    """Yield the bodies of functions: (heading, tokens between its braces)."""
    depth, first, heading = 0, None, []
    for i, token in enumerate(tokens):
        if token.text == '{':
            if depth == 0:
                # A function's body follows its parameters.
                first = i + 1 if i and tokens[i - 1].text == ')' else None
            depth += 1
        elif token.text == '}':
            depth -= 1
            if depth == 0:
                if first is not None:
                    yield heading, tokens[first:i]
                heading = []
        elif depth == 0:
            heading = [] if token.text == ';' else heading + [token]


def statements_of(tokens):
    """Yield the statements of a body, each without its heads and braces."""
    current, depth = [], 0
    for token in tokens:
        if token.text in '([':
            depth += 1
        elif token.text in ')]':
            depth -= 1
        if depth == 0 and token.text in '{};':
            # The braces of a value belong to the statement.
            if token.text == '{' and current and current[-1].text in '=),(':
                if current[-1].text != ')' or current[0].text not in (
                        'if', 'for', 'while', 'switch', 'do', 'else'):
                    current.append(token)
                    continue
            current.append(token)
            yield current
            current = []
        else:
            current.append(token)
    if current:
        yield current


def after_head(statement):
    """Return where a statement begins behind `if (...)`, `else`,
    `for (...)`."""
    i = 0
    while i < len(statement):
        word = statement[i].text
        if word in ('else', 'do'):
            i += 1
        elif word in ('if', 'for', 'while', 'switch'):
            depth = 0
            for i in range(i + 1, len(statement)):
                depth += statement[i].text == '('
                depth -= statement[i].text == ')'
                if depth == 0:
                    break
            i += 1
        elif word in ('case', 'default') or (
                i + 1 < len(statement) and statement[i].kind == 'name'
                and statement[i + 1].text == ':'):
            while i < len(statement) and statement[i].text != ':':
                i += 1
            i += 1
        else:
            break
    return i


def is_declaration(body):
    """Whether it declares something: a type and a name."""
    return bool(body) and (
        bool(TYPE.match(body[0].text)) or
        (len(body) > 1 and body[0].kind == 'name' and body[1].kind == 'name'
         and body[0].text not in ('return', 'goto', 'sizeof')))


def value_of(heading):
    """What `return` may give early in a function with that heading."""
    words = [token.text for token in heading]
    end = words.index('(') - 1 if '(' in words else len(words)
    kind = [word for word in words[:end] if word not in ('static', 'const',
                                                         'inline', 'EXPORT')]
    if kind == ['void']:
        return ''
    if '*' in kind:
        return 'NULL'
    if kind and kind[0] == 'struct':
        return None
    return {'bool': 'false', 'double': '0.0'}.get(kind[-1] if kind else '', '0')


def signs(statement):
    """Changes of single operators and numbers."""
    for i, token in enumerate(statement):
        before = statement[i - 1] if i else None
        end = token.at + len(token.text)
        if token.kind == 'sign' and token.text in SWAPPED:
            if token.text in BINARY and not (
                    before and before.text not in ('return', 'case')
                    and (before.kind in ('name', 'number')
                         or before.text in ')]')):
                continue
            if token.text == '*' and before.kind == 'name' and (
                    TYPE.match(before.text) or
                    (i > 1 and statement[i - 2].text in ('struct', 'enum'))):
                continue
            new = SWAPPED[token.text]
            yield Change(token.at, end, new, f'{token.text} to {new}')
        elif (token.kind == 'number' and re.fullmatch(r'\d+', token.text)
              and not (before and before.text == '[')
              # -1 is a failure as any other number is.
              and not (i > 1 and before.text == '-'
                       and statement[i - 2].text in ('return', '=', ':'))):
            octal = len(token.text) > 1 and token.text[0] == '0'
            new = (f'0{int(token.text, 8) + 1:o}' if octal
                   else str(int(token.text) + 1))
            yield Change(token.at, end, new, f'{token.text} to {new}')


def condition(statement):
    """The change that negates the condition of an `if`."""
    for i, token in enumerate(statement):
        if token.text != 'if':
            continue
        depth = 0
        for other in statement[i + 1:]:
            depth += other.text == '('
            depth -= other.text == ')'
            if depth == 0:
                start = statement[i + 1].at
                yield Change(start, other.at + 1, None, 'negate')
                break


def whole(statement, heading, last):
    """Changes of a whole statement: drop it, return before it or instead."""
    start = after_head(statement)
    body = statement[start:]
    if not body or body[-1].text != ';' or is_declaration(body):
        return
    first, end = body[0].at, body[-1].at + 1
    early = value_of(heading)
    if body[0].text == 'return':
        if len(body) > 3 and early:
            yield Change(first, end, f'return {early};', f'return {early}')
        return
    if body[0].kind == 'name' or body[0].text in ('*', '(', '++', '--'):
        yield Change(first, end, ';', 'drop')
        if early is not None and start == 0 and not last:
            word = f'return {early};'.replace(' ;', ';')
            yield Change(first, first, word + ' ', 'return early')


def changes_of(text):
    """Yield all changes of a source."""
    for heading, body in functions_of(tokens_of(text)):
        statements = list(statements_of(body))
        for n, statement in enumerate(statements):
            start = after_head(statement)
            inner = statement[start:]
            if any(token.kind == 'name' and QUIET.match(token.text)
                   for token in inner):
                statement = statement[:start]
            elif is_declaration(inner) and not any(
                    token.text == '=' for token in inner):
                continue
            else:
                yield from whole(statement, heading, n == len(statements) - 1)
            yield from signs(statement)
            yield from condition(statement)


def applied(text, change):
    """Return the text with the change."""
    new = change.new
    if new is None:
        new = f'(!{text[change.start:change.end]})'
    return text[:change.start] + new + text[change.end:]


def line_at(text, at):
    """Return the line around an offset, without blanks at its ends."""
    start = text.rfind('\n', 0, at) + 1
    end = text.find('\n', at)
    return ' '.join(text[start:end if end >= 0 else None].split())


def mutants_of(path, seed):
    """Return a mutant for each line of a source that has a change."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    by_line = {}
    for change in changes_of(text):
        number = text.count('\n', 0, change.start) + 1
        by_line.setdefault(number, []).append(change)
    found, seen = [], {}
    name = os.path.basename(path)
    for number, changes in sorted(by_line.items()):
        old = line_at(text, changes[0].start)
        seen[old] = seen.get(old, 0) + 1
        digest = hashlib.sha256(
            f'{seed}:{name}:{old}:{seen[old]}'.encode()).hexdigest()
        change = changes[int(digest[:8], 16) % len(changes)]
        new = line_at(applied(text, change), change.start)
        found.append(Mutant(digest[8:], path, number,
                            line_at(text, change.start), new, change))
    return found
