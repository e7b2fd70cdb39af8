"""Writes to a pool with the PyPI package indy-vdr: a NYM and a SCHEMA, signed by whoever reads what this prints."""

import asyncio
import json
import sys

import indy_vdr
from indy_vdr import ledger


def signed(request):
    print(json.dumps({"sign": request.signature_input.hex()}), flush=True)
    request.set_signature(bytes.fromhex(sys.stdin.readline().strip()))
    return request


async def main(genesis, endorser, did, verkey):
    pool = await indy_vdr.open_pool(transactions_path=genesis)
    nym = await pool.submit_request(signed(ledger.build_nym_request(endorser, did, verkey)))
    schema_id = f"{endorser}:2:from python:1.0"
    schema = {"ver": "1.0", "id": schema_id, "name": "from python", "version": "1.0", "attrNames": ["expiresAt"]}
    written = await pool.submit_request(signed(ledger.build_schema_request(endorser, schema)))
    print(json.dumps({"nym": nym["txnMetadata"], "schema": written["txnMetadata"], "id": schema_id}), flush=True)


asyncio.run(main(*sys.argv[1:]))
