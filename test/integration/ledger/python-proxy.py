"""Reads the same through the proxy and from the nodes that its genesis file names, with the PyPI package indy-vdr."""

import asyncio
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

import indy_vdr
from indy_vdr import ledger
from indy_vdr.resolver import Resolver


def get(base, path):
    try:
        with urllib.request.urlopen(urllib.parse.urljoin(base, path)) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code


def without_number(result):
    return {name: value for name, value in result.items() if name != "reqId"}


def numberless(resolved):
    for metadata in ("didDocumentMetadata", "contentMetadata"):
        if metadata in resolved:
            del resolved[metadata]["nodeResponse"]["result"]["reqId"]
    return resolved


async def main(base, did, schema_id, definition_id):
    pool = await indy_vdr.open_pool(transactions=get(base, "genesis"))
    quoted = urllib.parse.quote
    asked = {
        f"nym/{did}": ledger.build_get_nym_request(None, did),
        f"attrib/{did}/endpoint": ledger.build_get_attrib_request(None, did, "endpoint", None, None),
        f"schema/{quoted(schema_id)}": ledger.build_get_schema_request(None, schema_id),
        f"schema/{did}:2:none:1.0": ledger.build_get_schema_request(None, f"{did}:2:none:1.0"),
        f"cred_def/{quoted(definition_id)}": ledger.build_get_cred_def_request(None, definition_id),
        "taa": ledger.build_get_txn_author_agreement_request(None, None),
        "aml": ledger.build_get_acceptance_mechanisms_request(None, None, None),
        "txn/DOMAIN/1": ledger.build_get_txn_request(None, 1, 1),
        "txn/0/1": ledger.build_get_txn_request(None, 0, 1),
    }
    told = {}
    for path, request in asked.items():
        answer = json.loads(get(base, path))
        nodes = await pool.submit_request(request)
        told[path] = answer["op"] == "REPLY" and without_number(answer["result"]) == without_number(nodes)
    root = f"did:indy:sandbox:{did}"
    _, _, name, version = schema_id.split(":")
    seq_no, tag = definition_id.split(":")[3:]
    resolver = Resolver({"sandbox": pool})
    for asking, name in [
        (resolver.resolve, root),
        (resolver.dereference, f"{root}/anoncreds/v0/SCHEMA/{quoted(name)}/{version}"),
        (resolver.dereference, f"{root}/anoncreds/v0/CLAIM_DEF/{seq_no}/{tag}"),
    ]:
        told[name] = numberless(json.loads(get(base, f"1.0/identifiers/{name}"))) == numberless(await asking(name))
    status = json.loads(get(base, ""))
    print(json.dumps({"told": told, "status": status["status"], "nodes": status["pool_nodes"], "submit": get(base, "submit")}))


asyncio.run(main(*sys.argv[1:]))

# The threads of indy-vdr abort an interpreter that ends while they are at work.
sys.stdout.flush()
os._exit(0)
