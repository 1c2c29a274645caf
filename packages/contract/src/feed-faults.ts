/** Why a feed cannot be read. Braces contain names of values. */
export const feedFaults = {
  url: 'This is no web address (https://…) without user name and password',
  address: 'The address {url} is private: EMMA does not open it',
  unreachable: 'The feed {url} could not be opened',
  timeout: 'The feed {url} did not answer within {seconds} seconds',
  status: 'The feed {url} answered with status {status}',
  redirects: 'The feed {url} redirects more than {max} times',
  size: 'The feed {url} has more than {max} MB',
  not_feed: 'The address {url} is no feed (RSS, Atom or JSON)',
} as const
