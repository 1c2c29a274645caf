/** Faults of email addresses and domains. */
export const addressFaults = {
  missing: 'The email address is missing.',
  'too-long': 'The email address is longer than 254 characters.',
  'no-at': 'The email address has no @.',
  'local-missing': 'There is nothing before the @.',
  'local-too-long': 'The part before the @ is longer than 64 characters.',
  'local-syntax': 'The part before the @ has a character or a dot where none is allowed.',
  'local-quoted': 'The part before the @ is in quotes, which most mailboxes do not accept.',
  'local-not-ascii': 'The part before the @ has a letter outside a–z.',
  'domain-missing': 'There is nothing after the @.',
  'domain-too-long': 'The domain is longer than 253 characters.',
  'label-too-long': 'A part of the domain is longer than 63 characters.',
  'domain-syntax': 'The domain has a character, dot or hyphen where none is allowed.',
  'no-tld': 'The domain has no valid ending such as .com.',
} as const
