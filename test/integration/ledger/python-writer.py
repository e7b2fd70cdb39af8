"""Writes to a pool with the PyPI package indy-vdr, and reads it back. What it writes is signed by whoever reads what this prints."""

import asyncio
import json
import os
import sys

import indy_vdr
from indy_vdr import ledger
from indy_vdr.error import VdrError


def signed(request):
    print(json.dumps({"sign": request.signature_input.hex()}), flush=True)
    request.set_signature(bytes.fromhex(sys.stdin.readline().strip()))
    return request


async def main(genesis, endorser, did, verkey, definition_value):
    pool = await indy_vdr.open_pool(transactions_path=genesis)
    nym = await pool.submit_request(signed(ledger.build_nym_request(endorser, did, verkey)))
    schema_id = f"{endorser}:2:from python:1.0"
    schema = {"ver": "1.0", "id": schema_id, "name": "from python", "version": "1.0", "attrNames": ["expiresAt"]}
    written = await pool.submit_request(signed(ledger.build_schema_request(endorser, schema)))
    seq_no = written["txnMetadata"]["seqNo"]
    definition_id = f"{endorser}:3:CL:{seq_no}:default"
    definition = {"ver": "1.0", "id": definition_id, "schemaId": str(seq_no), "type": "CL", "tag": "default", "value": json.loads(definition_value)}
    published = await pool.submit_request(signed(ledger.build_cred_def_request(endorser, definition)))
    endpoint = json.dumps({"endpoint": {"ha": "127.0.0.1:5555"}})
    attribute = await pool.submit_request(signed(ledger.build_attrib_request(endorser, endorser, None, endpoint, None)))
    found = await pool.submit_request(ledger.build_get_attrib_request(None, endorser, "endpoint", None, None))
    refusals = []
    indy_vdr.set_protocol_version(1)
    try:
        await pool.submit_request(ledger.build_get_nym_request(None, did))
    except VdrError as error:
        refusals.append(str(error))
    told = {
        "nym": nym["txnMetadata"],
        "schema": written["txnMetadata"],
        "definition": published["txnMetadata"],
        "attribute": attribute["txnMetadata"],
        "found": found["data"],
        "id": schema_id,
        "definitionId": definition_id,
        "refusals": refusals,
    }
    print(json.dumps(told), flush=True)


asyncio.run(main(*sys.argv[1:]))

# The threads of indy-vdr abort an interpreter that ends while they are at work.
sys.stdout.flush()
os._exit(0)
