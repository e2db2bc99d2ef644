// perfetto.js PACKAGE TRACE: opens a trace in Perfetto's own trace processor, which is compiled to
// WebAssembly in PACKAGE, and prints what it has read: each process, each thread with its number of
// slices, how many slices and microseconds, how many flows, and every counter that the importer keeps of events it did not take.
"use strict";
const fs = require("fs");
const path = require("path");

// ---- the protocol: protobuf messages, TraceProcessorRpcStream of protos/perfetto/trace_processor

const METHOD = { append: 1, finalize: 2, query: 3 };
const FIELD = { sequence: 1, request: 2, fatal: 5, data: 101, queryArguments: 103, append: 201, result: 203 };

function varint(number) {
    const bytes = [];
    for (let n = BigInt(number); ; n >>= 7n) {
        bytes.push(Number(n & 127n) | (n > 127n ? 128 : 0));
        if (n <= 127n)
            return Buffer.from(bytes);
    }
}

function bytesField(field, bytes) {
    return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function numberField(field, number) {
    return Buffer.concat([varint(field << 3), varint(number)]);
}

function* fields(bytes) {
    let at = 0;
    const number = () => {
        let value = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = bytes[at++];
            value |= BigInt(byte & 127) << shift;
            if (byte < 128)
                return Number(BigInt.asIntN(64, value));
        }
    };
    while (at < bytes.length) {
        const key = number(), type = key & 7;
        if (type === 0) {
            yield [key >> 3, number()];
        } else {
            const length = type === 2 ? number() : type === 1 ? 8 : 4;
            yield [key >> 3, bytes.subarray(at, at + length)];
            at += length;
        }
    }
}

function numbers(packed) {
    const values = [];
    for (let at = 0; at < packed.length;) {
        let value = 0n;
        for (let shift = 0n, byte = 128; byte >= 128; shift += 7n) {
            byte = packed[at++];
            value |= BigInt(byte & 127) << shift;
        }
        values.push(Number(BigInt.asIntN(64, value)));
    }
    return values;
}

// ---- the engine: what the page runs as a worker, with the two ends of a port

const reply = { rows: [], columns: 0 };

function takeBatch(batch) {
    let kinds = [], integers = [], texts = [];
    for (const [field, value] of fields(batch)) {
        if (field === 1)
            kinds = numbers(value);
        else if (field === 2)
            integers = numbers(value);
        else if (field === 5)
            texts = Buffer.from(value).toString().split("\0");
    }
    for (const kind of kinds) {
        if (!reply.rows.length || reply.rows.at(-1).length === reply.columns)
            reply.rows.push([]);
        reply.rows.at(-1).push(kind === 2 ? integers.shift() : kind === 4 ? texts.shift() : null);
    }
}

function takeResult(result) {
    for (const [field, value] of fields(result)) {
        if (field === 1)
            reply.columns++;
        else if (field === 2 && value.length)
            throw new Error(`the query fails: ${Buffer.from(value)}`);
        else if (field === 3)
            takeBatch(value);
    }
}

function take(message) {
    for (const [, rpc] of fields(message))
        for (const [field, value] of fields(rpc)) {
            if (field === FIELD.fatal)
                throw new Error(`${Buffer.from(value)}`);
            if (field === FIELD.append)
                for (const [part, error] of fields(value))
                    if (part === 2)
                        throw new Error(`the trace is not taken: ${Buffer.from(error)}`);
            if (field === FIELD.result)
                takeResult(value);
        }
}

let sequence = 0;
function send(port, method, args) {
    const rpc = Buffer.concat([numberField(FIELD.sequence, ++sequence), numberField(FIELD.request, method), args]);
    reply.rows = [];
    reply.columns = 0;
    port.onmessage({ data: new Uint8Array(bytesField(1, rpc)) });
    return reply.rows;
}

function start(directory) {
    const said = console.warn;
    console.warn = () => {};
    process.chdir(directory); // where it looks for its .wasm
    globalThis.self = globalThis;
    const port = { postMessage: take };
    new Function("require", "__dirname", fs.readFileSync("engine_bundle.js", "utf8"))(require, ".");
    self.onmessage({ data: { enginePort: port } });
    return new Promise((ready) => setTimeout(function poll() {
        try {
            send(port, METHOD.query, bytesField(FIELD.queryArguments, bytesField(1, Buffer.from("select 1"))));
            console.warn = said;
            ready(port);
        } catch (error) {
            setTimeout(poll, 20); // it is still being compiled
        }
    }, 20));
}

// ---- what is asked

const QUESTIONS = [
    "select 'process', name from process where name is not null order by upid",
    "select 'thread', p.name, t.name, count(s.id) from thread t join process p using (upid)" +
        " join thread_track k using (utid) join slice s on s.track_id = k.id" +
        " group by utid order by p.upid, t.tid",
    "select 'slices', count(*), sum(dur) / 1000 from slice",
    "select 'flows', count(*) from flow",
    "select 'error', name, value from stats where severity = 'error' and value > 0",
];

async function main() {
    const trace = fs.readFileSync(path.resolve(process.argv[3]));
    const port = await start(process.argv[2]);
    send(port, METHOD.append, bytesField(FIELD.data, trace));
    send(port, METHOD.finalize, Buffer.alloc(0));
    for (const sql of QUESTIONS)
        for (const row of send(port, METHOD.query, bytesField(FIELD.queryArguments, bytesField(1, Buffer.from(sql)))))
            console.log(row.join("\t"));
}

main().catch((error) => {
    console.error(error.message);
    process.exit(1);
});
