/** Sending services with an API of their own. */
export const apiEsps = ['ses', 'mailgun', 'sendgrid', 'postmark', 'sparkpost', 'brevo', 'mailjet'] as const
export type ApiEsp = (typeof apiEsps)[number]

/** A login at a sending service, its secret open. */
export interface ApiLogin {
  via: ApiEsp
  id: number
  /** Access key id (ses) or API key (mailjet); '' where the secret is all there is. */
  username: string
  secret: string
  /** ses: an AWS region; mailgun, sendgrid, sparkpost: `eu` or null. */
  region: string | null
  /** The sending domain (mailgun). */
  domain: string | null
  /** The message stream (postmark). */
  stream: string | null
  /** The set whose event destination reports bounces and complaints (ses). */
  configurationSet: string | null
  /** In place of the service's own address; null: that. */
  baseUrl: string | null
}

/** Scheme and host of the API that a login is for, without a slash at the end. */
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
