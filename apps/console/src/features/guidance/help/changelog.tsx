import { queryKeys } from '@emma/client/query-keys.ts'
import { type ChangelogVersion, readChangelog, seeChangelog } from '@emma/contract/actions/guidance.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Badge, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refreshGuidance } from '../../../shell/guidance/guidance-query.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { Page } from '../../../shell/layout/page.tsx'
import classes from './help.module.css'

/** Changelog by version (R305). Opening it marks the latest version as seen. */
export default function Changelog(): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(readChangelog),
    queryFn: ({ signal }) => api.call(readChangelog, { signal, ignoreCache: true }),
    // Never refetched, so that entries stay marked as new while they are read.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const latest = data?.versions[0]?.version
  const isNew = latest !== undefined && data?.seen !== latest
  useEffect(() => {
    if (!isNew) return
    // The changelog is readable even if the request fails.
    api.call(seeChangelog, { body: { version: latest } }).then(refreshGuidance, () => {})
  }, [isNew, latest])
  const seenAt = data?.versions.findIndex(({ version }) => version === data.seen) ?? -1
  return (
    <Page title={t('screens.changelog')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} maw={640} />}
      {data && (
        <ol className={classes.versions}>
          {data.versions.map((version, index) => (
            <li key={version.version}>
              <Version version={version} isNew={seenAt === -1 || index < seenAt} />
            </li>
          ))}
        </ol>
      )}
    </Page>
  )
}

function Version({ version, isNew }: { version: ChangelogVersion; isNew: boolean }): ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const lang = asLang(i18n.resolvedLanguage)
  return (
    <article>
      <Group gap="sm" align="baseline">
        <Title order={2} size="h3">
          {version.version}
        </Title>
        <Text size="sm" c="dimmed">
          {format.date(version.date)}
        </Text>
        {isNew && <Badge variant="light">{t('help.new')}</Badge>}
      </Group>
      <ul className={classes.items}>
        {version.items.map(item => (
          <li key={item.en}>{item[lang]}</li>
        ))}
      </ul>
    </article>
  )
}
