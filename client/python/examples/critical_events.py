"""Prints the newest critical events: URL and KEY come from the environment."""

import os
from itertools import islice

from gatewatch import Gatewatch

client = Gatewatch(os.environ["URL"], control_key=os.environ["KEY"])
for event in islice(client.iter_events(severity="critical"), 20):
    print(event["blockTime"], event["chainSlug"], event["address"], event["eventKey"])
