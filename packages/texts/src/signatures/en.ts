export const en = {
  'secret.current': 'The signature is right.',
  'secret.previous':
    'The signature is right, made with the secret before the last rotation. Give the receiver the new secret.',
  'secret.s2s_key':
    'The S2S key of the environment made this signature, but this webhook has a secret of its own. Use the secret of the webhook.',
  'secret.other_key':
    'Another S2S key of the environment made this signature. The oldest key that is not revoked signs.',
  'secret.other_webhook': 'The secret of another webhook made this signature. Check it there.',
  'secret.other_mode': 'A secret of the other mode made this signature: live and sandbox have different ones.',
  timestamp_missing: 'The header {header} is not there.',
  signature_missing: 'The header {header} is not there.',
  timestamp_malformed:
    'The timestamp is not a whole number of Unix seconds. Take the header as it is, and do not convert it.',
  signature_malformed: 'The signature is not 64 hexadecimal digits. Take {header} whole, without a prefix.',
  signature_uppercase:
    'The signature is right but for its letters: the digits are lower case. Compare with lower-case hexadecimal.',
  body_whitespace:
    'Spaces or line ends were added or lost at the ends of the body. Sign the bytes exactly as they came.',
  body_reserialized:
    'The body is the same JSON, written again: it was parsed and serialized before the check. Read the raw bytes of the request.',
  body_altered:
    'The signature belongs to this event, but the body is not what was sent: something on the way changed it.',
  timestamp_altered: 'The signature fits the timestamp {timestamp}, not the one that was pasted.',
  no_match:
    'No secret of this game makes this signature from this body and timestamp. The body, the timestamp or the secret is another one.',
  old: 'The timestamp is further from now than the recommended {seconds} seconds: a receiver with that limit refuses it, or its clock is wrong.',
} as const;
