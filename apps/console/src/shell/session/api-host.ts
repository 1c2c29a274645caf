/** Deployment type of the host that serves the console. */
export type Deployment = 'development' | 'staging' | 'test' | 'mailService' | 'production'

/** Hosts of a deployment and its API; without `api`, `{origin}/api` (T1). */
export interface DeploymentHosts {
  hosts: readonly string[]
  api?: string | undefined
}

export type Deployments = Readonly<Record<Exclude<Deployment, 'production'>, DeploymentHosts>> & {
  production: Pick<DeploymentHosts, 'api'>
}

/** Session storage key of an override, for a developer's page with another server. */
const overrideKey = 'apiHost'

/**
 * Configured at build time, with hosts separated by commas: VITE_DEV_HOSTS, VITE_DEV_API, VITE_STAGING_HOSTS …
 * VITE_PRODUCTION_API. Local hosts are always development hosts.
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

/** Base URL of the API (R298): the session's override, else that of the page's host. */
export function apiHost(): string {
  return sessionStorage.getItem(overrideKey) ?? apiOf(location, deployments)
}

/** Base URL of a page's API, without a trailing slash. */
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

/** URL of the socket beside the API. */
export function socketAddress(): string {
  return `${apiHost().replace(/^http/, 'ws')}/socket`
}

const order = ['development', 'staging', 'test', 'mailService'] as const

function deploymentOf(hostname: string, known: Deployments): Deployment {
  return order.find(name => known[name].hosts.some(host => fits(host, hostname))) ?? 'production'
}

/** `*.example.com` matches every subdomain of example.com. */
function fits(host: string, hostname: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname
}

function listed(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(host => host !== '') : []
}

function address(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replace(/\/+$/, '') : undefined
}
