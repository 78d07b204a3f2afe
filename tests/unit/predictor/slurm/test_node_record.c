/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_record.c - nodes as several releases of scontrol print them */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/node_record.h"
#include "tests/unit/suite.h"

/* Slurm 22.05, with --oneliner. */
#define OLD(name, weight)                                                      \
	"NodeName=" name " Arch=x86_64 CoresPerSocket=16 CPUAlloc=0 "          \
	"CPUEfctv=30 CPUTot=32 CPULoad=0.02 "                                  \
	"AvailableFeatures=fast,ib,nvme ActiveFeatures=fast,ib "               \
	"Gres=gpu:a100:4(S:0-1),shard:16 NodeAddr=" name " NodeHostName=" name \
	" Version=22.05.8 "                                                    \
	"OS=Linux 6.1.0-13-amd64 #1 SMP Debian 6.1.55-1 RealMemory=64000 "     \
	"AllocMem=0 FreeMem=60000 Sockets=2 Boards=1 CoreSpecCount=2 "         \
	"CPUSpecList=30-31 MemSpecLimit=2000 State=IDLE ThreadsPerCore=1 "     \
	"TmpDisk=0 Weight=" weight " Owner=N/A MCS_label=N/A "                 \
	"Partitions=main,debug  BootTime=1795160000 "                          \
	"SlurmdStartTime=1795160010 LastBusyTime=1795160011 "                  \
	"CfgTRES=cpu=32,mem=64000M,billing=32 AllocTRES= CapWatts=n/a "        \
	"CurrentWatts=0 AveWatts=0 ExtSensorsJoules=n/a "                      \
	"ExtSensorsWatts=0 ExtSensorsTemp=n/a "

/* Slurm 25.11: other fields between them, and no energy. */
#define NEW(name)                                                         \
	"NodeName=" name " Arch=x86_64 CoresPerSocket=1 CPUAlloc=4 "      \
	"CPUEfctv=4 CPUTot=4 CPULoad=3.91 AvailableFeatures=(null) "      \
	"ActiveFeatures=(null) Gres=(null) NodeAddr=" name                \
	" NodeHostName=" name " Version=25.11.0 OS=Linux 6.12.0 "         \
	"RealMemory=4000 AllocMem=400 FreeMem=2000 Sockets=4 Boards=1 "   \
	"State=ALLOCATED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A "  \
	"MCS_label=N/A Partitions=main BootTime=1795160000 "              \
	"SlurmdStartTime=1795160010 LastBusyTime=1795160011 "             \
	"ResumeAfterTime=None CfgTRES=cpu=4,mem=4000M,billing=4 "         \
	"AllocTRES=cpu=4,mem=400M Reason=x Gres=gpu:8 CPUTot=1 [root@1] " \
	"Comment=a Weight=7 Partitions=z"

static struct node_properties node;
static struct sp_error err;

static int parse(const char *line)
{
	return node_record_parse(line, strlen(line), &node, &err);
}

START_TEST(test_fields)
{
	ck_assert_msg(!parse(OLD("n01", "20")), "%s", err.text);
	ck_assert_str_eq(node.name, "n01");
	ck_assert_uint_eq(node.cpus, 30);
	ck_assert_double_eq(node.memory_mb, 62000);
	ck_assert_uint_eq(node.weight, 20);
	ck_assert_str_eq(node.features, "fast,ib");
	ck_assert_str_eq(node.gres, "gpu:a100:4(S:0-1),shard:16");
	ck_assert_str_eq(node.partitions, "main,debug");

	/* Nothing of the line before stays; texts behind change nothing. */
	ck_assert_msg(!parse(NEW("b7")), "%s", err.text);
	ck_assert_str_eq(node.name, "b7");
	ck_assert_uint_eq(node.cpus, 4);
	ck_assert_double_eq(node.memory_mb, 4000);
	ck_assert_uint_eq(node.weight, 1);
	ck_assert_str_eq(node.features, "");
	ck_assert_str_eq(node.gres, "");
	ck_assert_str_eq(node.partitions, "main");
}
END_TEST

START_TEST(test_little_is_known)
{
	ck_assert_int_eq(parse("NodeName=a"), 0);
	ck_assert_uint_eq(node.cpus, 0);
	ck_assert_double_eq(node.memory_mb, 0);
	/* Of CPUs, what jobs may have is better known than what is there. */
	ck_assert_int_eq(parse("NodeName=a CPUTot=8"), 0);
	ck_assert_uint_eq(node.cpus, 8);
}
END_TEST

START_TEST(test_bad_lines)
{
	char text[NODE_FACTS_TEXT_SIZE + 100] = "NodeName=a ActiveFeatures=";
	const char *const bad[] = {
		"",
		"NodeName= CPUTot=1",
		"xNodeName=a",
		"NodeName=a CPUTot=-1",
		"NodeName=a CPUTot=many",
		"NodeName=a RealMemory=1e99",
		"NodeName=a RealMemory=nan",
		"NodeName=a Weight=99999999999",
		"No nodes in the system",
		text,
	};

	memset(text + strlen(text), 'f', NODE_FACTS_TEXT_SIZE);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(parse(bad[i]) == -1, "taken: %s", bad[i]);
}
END_TEST

static bool is_closed(const char *state)
{
	char line[128];

	snprintf(line, sizeof(line), "NodeName=a State=%s Weight=1", state);
	ck_assert_int_eq(parse(line), 0);
	return node.closed;
}

START_TEST(test_states)
{
	static const char *const open[] = {
		"IDLE",
		"MIXED",
		"ALLOCATED",
		"COMPLETING",
		"IDLE~",
		"MIXED#",
		"IDLE+CLOUD+POWERED_DOWN",
		"IDLE+POWERING_UP",
		"MIXED+PLANNED",
		"MIXED-",
	};
	static const char *const closed[] = {
		"DOWN",
		"DOWN*",
		"IDLE*",
		"IDLE+DRAIN",
		"MIXED+DRAIN*",
		"ALLOCATED+DRAIN",
		"IDLE+MAINT",
		"IDLE+RESERVED",
		"FUTURE",
		"DOWN+CLOUD+POWERED_DOWN",
		"IDLE+NOT_RESPONDING",
		"UNKNOWN",
		"IDLE+FAIL",
		"IDLE+INVALID_REG",
	};

	for (size_t i = 0; i < sizeof(open) / sizeof(*open); i++)
		ck_assert_msg(!is_closed(open[i]), "%s", open[i]);
	for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++)
		ck_assert_msg(is_closed(closed[i]), "%s", closed[i]);
}
END_TEST

static const struct node_facts_node *find(const struct node_facts *facts,
					  const char *name)
{
	for (uint32_t i = 0; i < facts->count; i++)
		if (strcmp(facts->nodes[i].name, name) == 0)
			return &facts->nodes[i];
	ck_abort_msg("no node %s", name);
}

START_TEST(test_all_nodes)
{
	struct node_facts *facts = node_records_read(
		"big",
		OLD("n10", "20") "\n" OLD("n9", "20") "\n" NEW("b7") "\n" OLD(
			"n1", "1") "\n",
		&err);

	ck_assert_msg(facts != NULL, "%s", err.text);
	ck_assert_str_eq(facts->cluster, "big");
	ck_assert_uint_eq(facts->count, 4);
	ck_assert_uint_eq(facts->kind_count, 2);
	ck_assert_uint_eq(facts->kinds[0].count, 3);
	/* By weight, then as slurmctld has them. */
	ck_assert_uint_eq(find(facts, "b7")->place, 0);
	ck_assert_uint_eq(find(facts, "n1")->place, 1);
	ck_assert_uint_eq(find(facts, "n10")->place, 2);
	ck_assert_uint_eq(find(facts, "n9")->place, 3);
	ck_assert_str_eq(facts->nodes[0].name, "b7");
	ck_assert_uint_eq(find(facts, "n9")->kind, find(facts, "n1")->kind);
	node_facts_put(facts);

	ck_assert_ptr_null(node_records_read(
		"big", OLD("n1", "1") "\n" OLD("n1", "1") "\n", &err));
	ck_assert_str_eq(err.text, "node n1 occurs twice");
	ck_assert_ptr_null(
		node_records_read("big", "No nodes in the system\n", &err));
	facts = node_records_read("big", "", &err);
	ck_assert_uint_eq(facts->count, 0);
	node_facts_put(facts);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_fields,          test_states,
				       test_little_is_known, test_bad_lines,
				       test_all_nodes,       NULL };

	return suite_run("node_record", tests);
}
