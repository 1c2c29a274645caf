import { Button, Divider } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiHost } from '../../shell/session/api-host.ts'

const changeSession = () => import('../../shell/session/change-session.ts')

interface ProviderLoginProps {
  isBusy: boolean
  onError: (error: unknown) => void
}

/** Button to sign in with the installation's identity provider, if one is configured. */
export function ProviderLogin({ isBusy, onError }: ProviderLoginProps): ReactNode {
  const { t } = useTranslation()
  const name = useProviderName()
  if (name === null) return null

  async function leave(): Promise<void> {
    try {
      const { providerAddress } = await changeSession()
      location.assign(await providerAddress())
    } catch (error) {
      onError(error)
    }
  }

  return (
    <>
      <Divider label={t('account.provider.or')} />
      <Button variant="default" size="md" disabled={isBusy} onClick={() => void leave()}>
        {t('account.provider.submit', { name })}
      </Button>
    </>
  )
}

/**
 * Name of the identity provider; null if none is configured or the request fails. Uses fetch, since the API client is
 * not loaded yet.
 */
function useProviderName(): string | null {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    const unmounted = new AbortController()
    fetch(`${apiHost()}/auth/provider`, { signal: unmounted.signal })
      .then(async answer => {
        const body: unknown = answer.ok ? await answer.json() : null
        const provider: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'name') : null
        setName(typeof provider === 'string' ? provider : null)
      })
      .catch(() => {})
    return () => unmounted.abort()
  }, [])
  return name
}

/** Query string with which the identity provider redirected to this page; null otherwise. */
export function providerAnswer(search: string): string | null {
  const query = new URLSearchParams(search)
  return query.has('state') && (query.has('code') || query.has('error')) ? query.toString() : null
}
