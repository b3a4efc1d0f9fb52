// Reads {"secret", "headers", "body"} from standard input, verifies the delivery, and prints what it says as JSON.
// Fails when the signature doesn't fit.

import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { secret, headers, body } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)));
