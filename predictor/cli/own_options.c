/* own_options.c - options that only one subcommand has */
#include <stddef.h>
#include <string.h>

#include "predictor/cli/own_options.h"

/* The option that `word` names, with *ret_value what stands behind its '='. */
static const struct own_option *find(const struct own_option own[],
				     const char *word, const char **ret_value)
{
	if (strncmp(word, "--", 2) != 0)
		return NULL;

	size_t length = strcspn(word + 2, "=");

	*ret_value = word[2 + length] ? word + 2 + length + 1 : NULL;
	for (; own->name; own++)
		if (strlen(own->name) == length &&
		    memcmp(own->name, word + 2, length) == 0)
			return own;
	return NULL;
}

/* argv[*i] names `option`; its value may be the next word. */
static int set(const struct own_option *option, const char *value, int argc,
	       char **argv, int *i, struct sp_error *err)
{
	if (option->flag) {
		if (value)
			return sp_error_set(err, "option --%s takes no value",
					    option->name);
		*option->flag = true;
		return 0;
	}
	if (!value && *i + 1 < argc)
		value = argv[++*i];
	if (!value || !*value)
		return sp_error_set(err, "option --%s: its value is missing",
				    option->name);
	*option->value = value;
	return 0;
}

int own_options_take(const struct own_option own[], int *argc, char **argv,
		     struct sp_error *err)
{
	int left = 0;
	bool over = false;

	for (int i = 0; i < *argc; i++) {
		const char *value = NULL;
		const struct own_option *option = NULL;

		over = over || strcmp(argv[i], "--") == 0;
		if (!over)
			option = find(own, argv[i], &value);
		if (!option)
			argv[left++] = argv[i];
		else if (set(option, value, *argc, argv, &i, err))
			return -1;
	}
	argv[left] = NULL;
	*argc = left;
	return 0;
}
