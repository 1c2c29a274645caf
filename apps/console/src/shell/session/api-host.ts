/** A kind of place the console is served from. */
export type Deployment = 'development' | 'staging' | 'test' | 'mailService' | 'production'

/** Pages of these hosts, and the API they talk to; without one the API beside the page, `{origin}/api` (T1). */
export interface DeploymentHosts {
  hosts: readonly string[]
  api?: string | undefined
}

export type Deployments = Readonly<Record<Exclude<Deployment, 'production'>, DeploymentHosts>> & {
  production: Pick<DeploymentHosts, 'api'>
}

/** Override of this browser session: a developer's page against another server. */
const overrideKey = 'apiHost'

/**
 * Set at build time, hosts separated by commas: VITE_DEV_HOSTS, VITE_DEV_API, VITE_STAGING_HOSTS … VITE_PRODUCTION_API.
 * Names of this machine are development hosts always.
 */
const deployments: Deployments = {
  development: {
    hosts: ['localhost', '127.0.0.1', '[::1]', '*.localhost', ...listed(import.meta.env['VITE_DEV_HOSTS'])],
    api: address(import.meta.env['VITE_DEV_API']),
  },
  staging: {
    hosts: listed(import.meta.env['VITE_STAGING_HOSTS']),
    api: address(import.meta.env['VITE_STAGING_API']),
  },
  test: {
    hosts: listed(import.meta.env['VITE_TEST_HOSTS']),
    api: address(import.meta.env['VITE_TEST_API']),
  },
  mailService: {
    hosts: listed(import.meta.env['VITE_MAIL_SERVICE_HOSTS']),
    api: address(import.meta.env['VITE_MAIL_SERVICE_API']),
  },
  production: { api: address(import.meta.env['VITE_PRODUCTION_API']) },
}

/** Where the API lives (R298): the session's override, else what belongs to the host the page came from. */
export function apiHost(): string {
  return sessionStorage.getItem(overrideKey) ?? apiOf(location, deployments)
}

/** The API of a page, without a slash at the end. */
export function apiOf(
  { hostname, origin }: Pick<Location, 'hostname' | 'origin'>,
  known: Deployments,
): string {
  return known[deploymentOf(hostname, known)].api ?? `${origin}/api`
}

/** `dev` on development hosts, `prod` everywhere else (R298). */
export function environmentOf(hostname: string, known: Deployments = deployments): 'dev' | 'prod' {
  return deploymentOf(hostname, known) === 'development' ? 'dev' : 'prod'
}

/** Address of the socket beside the API. */
export function socketAddress(): string {
  return `${apiHost().replace(/^http/, 'ws')}/socket`
}

const order = ['development', 'staging', 'test', 'mailService'] as const

function deploymentOf(hostname: string, known: Deployments): Deployment {
  return order.find(name => known[name].hosts.some(host => fits(host, hostname))) ?? 'production'
}

/** `*.example.com` fits every name below example.com. */
function fits(host: string, hostname: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname
}

function listed(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(host => host !== '') : []
}

function address(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replace(/\/+$/, '') : undefined
}
