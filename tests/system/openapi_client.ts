// SPDX-License-Identifier: GPL-2.0-or-later
// openapi_client.ts SOCKET - a client made from openapi.json calls predictd
//
// `make check-openapi` makes the types, compiles this with them, and runs it:
// a member that is not described, or of another type, does not compile.
import * as http from "node:http";
import createClient from "openapi-fetch";
import type { paths } from "./predictd";

const socketPath = process.argv[2];

async function unixFetch(request: Request): Promise<Response> {
	const url = new URL(request.url);
	const body = Buffer.from(await request.arrayBuffer());

	return new Promise((resolve, reject) => {
		const call = http.request(
			{
				socketPath,
				method: request.method,
				path: url.pathname + url.search,
				headers: { "Content-Length": body.length },
			},
			(reply) => {
				const parts: Buffer[] = [];

				reply.on("data", (part) => parts.push(part));
				reply.on("end", () =>
					resolve(
						new Response(Buffer.concat(parts).toString(), {
							status: reply.statusCode,
							headers: { "Content-Type": "application/json" },
						}),
					),
				);
			},
		);

		call.on("error", reject);
		call.end(body);
	});
}

function expect(what: string, holds: boolean): void {
	console.log(`${holds ? "ok" : "not ok"} openapi_client_${what}`);
	if (!holds) process.exitCode = 1;
}

async function main(): Promise<void> {
	const client = createClient<paths>({
		baseUrl: "http://localhost",
		fetch: unixFetch,
	});
	const made = await client.POST("/v1/predictions", {
		body: { job: { user_id: 0, name: "heat", limit_s: 600 } },
	});
	const prediction = made.data?.prediction;
	const id: string = prediction?.id ?? "";

	expect("makes", id.length === 16 && prediction?.basis !== undefined);

	const shown = await client.GET("/v1/predictions/{id}", {
		params: { path: { id } },
	});
	expect("shows", shown.data?.prediction.id === id);

	const nodes = await client.GET("/v1/nodes", {
		params: { query: { limit: 5 } },
	});
	expect("lists", nodes.data?.nodes !== undefined);

	const wrong = await client.GET("/v1/jobs/{jobid}", {
		params: { path: { jobid: 999999 } },
	});
	expect("errors", wrong.error?.errors[0].code === "not_found");
}

void main();
