import { queryKeys } from '@emma/client/query-keys.ts'
import { webformConsents } from '@emma/contract/actions/web-forms.ts'
import { languages } from '@emma/contract/resources/client.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'

const PAGE = 20

/** Consent texts of a form by version, newest first, with their confirmations. */
export function WebFormConsents({ id, revision }: { id: number; revision: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    // A saved form may have a new version.
    queryKey: [...queryKeys.action(webformConsents, { id }), revision],
    queryFn: ({ signal, pageParam: offset }) =>
      api.call(webformConsents, { params: { id }, query: { limit: PAGE, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE < total ? pages.length * PAGE : undefined),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <FormSkeleton />
  const versions = data.pages.flatMap(page => page.data)
  if (versions.length === 0) return <Text c="dimmed">{t('audience.webform.no_consents')}</Text>
  return (
    <Stack>
      {versions.map(({ version, consent, created_at, submissions, confirmed }) => (
        <Paper
          key={version}
          withBorder
          p="md"
          component="section"
          aria-label={t('audience.webform.consent_version', { version })}
        >
          <Group justify="space-between" align="baseline">
            <Text fw={600}>{t('audience.webform.consent_version', { version })}</Text>
            <Text size="sm" c="dimmed">
              {t('audience.webform.consent_since', { time: format.dateTime(created_at) })}
            </Text>
          </Group>
          <Text size="sm" mb="xs">
            {t('audience.webform.consent_counts', {
              submissions: format.number(submissions),
              confirmed: format.number(confirmed),
            })}
          </Text>
          <Stack gap="xs">
            {languages.map(lang =>
              consent[lang]?.trim() ? (
                <div key={lang}>
                  <Text size="xs" c="dimmed">
                    {t(`audience.webform.languages.${lang}`)}
                  </Text>
                  <Text size="sm" lang={lang} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                    {consent[lang]}
                  </Text>
                </div>
              ) : null,
            )}
            {!Object.values(consent).some(text => text.trim()) && (
              <Text size="sm" c="dimmed">
                {t('audience.webform.consent_none')}
              </Text>
            )}
          </Stack>
        </Paper>
      ))}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('audience.webform.more_versions')}
        </Button>
      )}
    </Stack>
  )
}
