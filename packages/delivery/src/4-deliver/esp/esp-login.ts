/** ESPs with an API of their own. */
export const apiEsps = ['ses', 'mailgun', 'sendgrid', 'postmark', 'sparkpost', 'brevo', 'mailjet'] as const
export type ApiEsp = (typeof apiEsps)[number]

/** An ESP login with its secret decrypted. */
export interface ApiLogin {
  via: ApiEsp
  id: number
  /** Access key id (ses) or API key (mailjet); '' if the secret is enough. */
  username: string
  secret: string
  /** ses: an AWS region; mailgun, sendgrid, sparkpost: `eu` or null. */
  region: string | null
  /** Sending domain (mailgun). */
  domain: string | null
  /** Message stream (postmark). */
  stream: string | null
  /** Configuration set whose event destination reports bounces and complaints (ses). */
  configurationSet: string | null
  /** Replaces the ESP's URL; null: default. */
  baseUrl: string | null
}

/** Returns scheme and host of a login's API, without a trailing slash. */
export function baseUrlOf({ via, region, baseUrl }: ApiLogin): string {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, '')
  return BASES[via](region ?? '')
}

const eu = (usual: string, european: string) => (region: string) => (region === 'eu' ? european : usual)

const BASES: Record<ApiEsp, (region: string) => string> = {
  ses: region => `https://email.${/^[a-z0-9-]+$/.test(region) ? region : 'us-east-1'}.amazonaws.com`,
  mailgun: eu('https://api.mailgun.net', 'https://api.eu.mailgun.net'),
  sendgrid: eu('https://api.sendgrid.com', 'https://api.eu.sendgrid.com'),
  postmark: () => 'https://api.postmarkapp.com',
  sparkpost: eu('https://api.sparkpost.com', 'https://api.eu.sparkpost.com'),
  brevo: () => 'https://api.brevo.com',
  mailjet: () => 'https://api.mailjet.com',
}
