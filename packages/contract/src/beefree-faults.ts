/** Why Beefree gives no token or no HTML (R319: the texts of the plugin). Braces contain names of values. */
export const beefreeFaults = {
  off: 'Beefree is not configured: a superadmin enters the client ID and secret under System → Installation',
  token: 'Error fetching token: {statusText} ({status})',
  no_token: 'loginToken not found!',
  unreachable: 'Beefree cannot be reached; try again later',
  no_key:
    'This is a design of Beefree (JSON). Export it as HTML in Beefree and import that, or a superadmin enters the API key of Beefree’s HTML export under System → Installation',
  export: 'Beefree answered {statusText} ({status}) instead of the HTML of this design',
} as const
