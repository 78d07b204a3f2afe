/* engine_state.c - what the engine's files share */
#include <string.h>

#include "predictor/engine/engine_state.h"

void engine_heard_of(struct engine *engine, const char *cluster)
{
	size_t length = strnlen(cluster, sizeof(engine->cluster) - 1);

	if (!*cluster || strcmp(engine->cluster, cluster) == 0)
		return;
	memcpy(engine->cluster, cluster, length);
	engine->cluster[length] = '\0';
}
