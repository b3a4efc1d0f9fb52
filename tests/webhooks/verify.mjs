// Reads {"secret", "headers", "body"} from standard input, verifies the delivery, and prints its payload as JSON.
// Fails if the signature doesn't match.

import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { secret, headers, body } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)));
