/** A mail class as far as its way out needs it, as it is in the database. */
export interface MailclassRow {
  transport: string
  smtp_host: string | null
  smtp_port: number | null
  smtp_tls: 'none' | 'starttls' | 'tls'
  smtp_username: string | null
  smtp_password: Buffer | null
  max_connections: number
}
