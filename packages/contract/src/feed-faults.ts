/** Why a feed cannot be read. Braces contain names of values. */
export const feedFaults = {
  url: 'This is no web address (https://…) without user name and password',
  address: 'The address {url} is private: EMMA does not open it',
  unreachable: 'The feed {url} could not be opened',
  timeout: 'The feed {url} did not answer within {seconds} seconds',
  status: 'The feed {url} answered with status {status}',
  redirects: 'The feed {url} redirects more than {max} times',
  size: 'The feed {url} has more than {max} MB',
  scheme: 'The address {url} does not begin with https://',
  personal: 'Only placeholders such as {example} can stand in the address, after a fixed host',
  secret_sealed: 'The secret of the header cannot be read on this installation; enter it again',
  not_json: 'The address {url} does not answer with JSON',
  page: 'The address {url} answers with a web page, perhaps a login page, instead of JSON',
  json_deep: 'The JSON of {url} is nested deeper than {max} levels',
  json_many: 'The JSON of {url} has more than {max} values',
  not_feed: 'The address {url} is no feed (RSS, Atom or JSON)',
} as const
