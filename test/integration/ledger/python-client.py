"""Reads a pool with the PyPI package indy-vdr and prints what it found: genesis file, DID, schema id, definition id."""

import asyncio
import json
import os
import sys

import indy_vdr
from indy_vdr import ledger


async def main(genesis, did, schema_id, definition_id):
    pool = await indy_vdr.open_pool(transactions_path=genesis)
    status = await pool.refresh()
    found = {
        "version": indy_vdr.version(),
        "nodes": sorted(status["nodes"]),
        "nym": json.loads((await pool.submit_request(ledger.build_get_nym_request(None, did)))["data"]),
        "schema": await pool.submit_request(ledger.build_get_schema_request(None, schema_id)),
        "definition": await pool.submit_request(ledger.build_get_cred_def_request(None, definition_id)),
    }
    print(json.dumps(found))


asyncio.run(main(*sys.argv[1:]))

# The threads of indy-vdr abort an interpreter that ends while they are at work.
sys.stdout.flush()
os._exit(0)
