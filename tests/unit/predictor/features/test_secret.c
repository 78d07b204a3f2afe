/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_secret.c - the gate for what users type
 *
 * The corpus is in tests/corpus/secrets: known.tsv was written beside the
 * rules; a file of others there, by somebody who had not seen them, counts
 * likewise.
 */
#include <glob.h>

#include "predictor/features/parameters.h"
#include "predictor/features/traits.h"
#include "tests/unit/secret_corpus.h"
#include "tests/unit/suite.h"

#define ROUNDS 5 /* random texts for each row */

START_TEST(test_corpus_of_secrets)
{
	int kept = 0, rows = 0;
	glob_t files;

	ck_assert_int_eq(glob(SECRET_CORPUS "*.tsv", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		int count,
			rc = corpus_kept(files.gl_pathv[i], ROUNDS, 1, &count);

		ck_assert_int_ge(rc, 0);
		kept += rc;
		rows += count;
	}
	globfree(&files);
	ck_assert_int_ge(rows, 100);
	ck_assert_int_eq(kept, 0);
}
END_TEST

START_TEST(test_corpus_of_harmless_texts)
{
	int count;

	ck_assert_int_eq(corpus_alarms(SECRET_CORPUS "harmless.txt", 1, &count),
			 0);
	ck_assert_int_ge(count, 300);
}
END_TEST

START_TEST(test_marks)
{
	static const struct {
		const char *text, *masked;
	} texts[] = {
		{ "./fit --password hunter22 -n 5",
		  "./fit --password *** -n 5" },
		{ "./fit --password=hunter22 -n 5",
		  "./fit --password=*** -n 5" },
		{ "--password 'two words' -n 5", "--password '***' -n 5" },
		{ "--export=ALL,API_KEY=abc,N=100",
		  "--export=ALL,API_KEY=***,N=100" },
		{ "postgres://me:word@host/db", "postgres://***@host/db" },
		{ "postgres://$USER:word@host/db",
		  "postgres://$USER:***@host/db" },
		{ "postgres://${USER:-me}:word@host/db",
		  "postgres://${USER:-me}:***@host/db" },
		{ "postgres://$USER:$WORD@host/db",
		  "postgres://$USER:$WORD@host/db" },
		{ "https://me:$WORD@host/db", "https://***@host/db" },
		{ "--password '$ecret99' -n 5", "--password '***' -n 5" },
		{ "--password=\"$ecret!99\" -n 5", "--password=\"***\" -n 5" },
		{ "--password=\"$SECRET\" -n 5",
		  "--password=\"$SECRET\" -n 5" },
		{ "--password=\"${A}_$B\" -n 5",
		  "--password=\"${A}_$B\" -n 5" },
		{ "API_KEY='%aB12cd' ./fit", "API_KEY='***' ./fit" },
		{ "API_KEY=\"<aB12cd\" ./fit", "API_KEY=\"***\" ./fit" },
		{ "API_KEY=\"<your key>\"", "API_KEY=\"<your key>\"" },
		{ "API_KEY='{aB12cd' ./fit", "API_KEY='***' ./fit" },
		{ "--password '*Ab12!' -n 5", "--password '***' -n 5" },
		{ "API_KEY=\"{key}\" ./fit", "API_KEY=\"{key}\" ./fit" },
		{ "{\"a\": {\"key\": \"abcd\", \"n\": 5}}",
		  "{\"a\": {\"key\": \"***\", \"n\": 5}}" },
		{ "{\\\"key\\\": \\\"abcd\\\"}", "{\\\"key\\\": \\\"***\\\"}" },
		{ "Authorization: Bearer abcdef x",
		  "Authorization: Bearer *** x" },
		{ "mysql -pSecret; ./fit -pi 3", "mysql -p***; ./fit -pi 3" },
		{ "--token ab", "--token **" },
		{ "--token $TOKEN", "--token $TOKEN" },
		{ "--token ***", "--token ***" },
		{ "a jane.doe@example.org b", "a *** b" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[256];

		strcpy(text, texts[i].text);
		secret_mask_text(text);
		ck_assert_str_eq(text, texts[i].masked);
		secret_mask_text(text);
		ck_assert_str_eq(text, texts[i].masked);
	}
}
END_TEST

START_TEST(test_words)
{
	char text[] = "fit\0--password\0two words\0-n\0"
		      "5";
	const char *words[] = { text,      text + 4,  text + 15,
				text + 25, text + 28, "--token=abcdef",
				"--login" };

	secret_mask_words(words, 7, text, sizeof(text));
	ck_assert_str_eq(words[0], "fit");
	ck_assert_str_eq(words[1], "--password");
	ck_assert_str_eq(words[2], SECRET_MARK);
	ck_assert_str_eq(words[3], "-n");
	ck_assert_str_eq(words[4], "5");
	ck_assert_str_eq(words[5], "-" SECRET_MARK);
	ck_assert_str_eq(words[6], "--login");
}
END_TEST

START_TEST(test_numbers)
{
	struct parameters set = { 0 };

	ck_assert_int_eq(parameters_set(&set, "pin", 4711, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "db_password", 5, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "pin", 2, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "sort-key", 4711, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "token", 2048, NULL), 0);
	ck_assert_int_eq(set.count, 3);
	ck_assert_double_eq(*parameters_get(&set, "pin"), 2);
}
END_TEST

/* A masked text is no longer than before, and nothing beside it is touched. */
START_TEST(test_any_text)
{
	static const char *const pieces[] = {
		"password",
		"login",
		"=",
		":",
		" ",
		"'",
		"\"",
		"--",
		"-p",
		"@",
		"://",
		"abc1XY",
		"mysql",
		"\n",
		",",
		".org",
		"{",
		"}",
		"token",
		"Bearer",
		"-----BEGIN X PRIVATE KEY-----",
		"-----END",
		"$",
		"ghp_",
		"00112233445566778899aabbccddeeff",
		"\\",
		"q9Z",
		"\xff",
		"?",
		"&",
	};
	struct random r = { 7 };

	for (int round = 0; round < 20000; round++) {
		char text[1024] = "";
		size_t length, used = 0;

		for (int i = (int)random_below(&r, 30); i > 0; i--)
			used += (size_t)sprintf(
				text + used, "%s",
				pieces[random_below(
					&r, sizeof(pieces) / sizeof(*pieces))]);
		memset(text + used + 1, 'x', 8);
		length = secret_mask(NULL, text, used);
		ck_assert_uint_le(length, used);
		ck_assert_uint_eq(strlen(text), length);
		ck_assert_int_eq(text[used + 1], 'x');
	}
}
END_TEST

/* Many secrets in a word that ends in what may be one: a test that looks at the
 * rest of the word after each of them takes minutes, and is ended. */
START_TEST(test_long_words)
{
	static const char *const ends[] = { "a-",    "1-",     "A(",
					    "key=/", "a://u@", NULL };
	enum { SIZE = 65536 };
	char *text = malloc(SIZE + 16);

	for (int i = 0; ends[i]; i++) {
		size_t used = 0;

		while (used < SIZE / 2)
			used += (size_t)sprintf(text + used, "a@b.cd:");
		while (used < SIZE)
			used += (size_t)sprintf(text + used, "%s", ends[i]);
		used += (size_t)sprintf(text + used, "1");
		ck_assert_uint_lt(secret_mask(NULL, text, used), used);
		ck_assert_int_ne(text[1], '@');
	}
	free(text);
}
END_TEST

/* A secret that is longer than what is looked at ends with its word. */
START_TEST(test_long_secret)
{
	char text[4096] = "curl -H token=", mark[64];
	size_t used = strlen(text);

	for (int i = 0; i < 3000; i++)
		text[used++] = "aB3dE5gH7j"[i % 10];
	strcpy(text + used, " next");
	secret_mask_text(text);
	snprintf(mark, sizeof(mark), "curl -H token=%s next", SECRET_MARK);
	ck_assert_str_eq(text, mark);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_corpus_of_secrets,
		test_corpus_of_harmless_texts,
		test_marks,
		test_words,
		test_numbers,
		test_any_text,
		test_long_words,
		test_long_secret,
		NULL,
	};

	return suite_run("secret", tests);
}
