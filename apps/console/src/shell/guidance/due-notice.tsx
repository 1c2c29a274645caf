import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Group, Text } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isOverdue } from '../session/due-documents.ts'
import { useSession } from '../session/use-session.ts'
import classes from '../session/view-as-banner.module.css'

/** Banners for documents that are not confirmed for the client, with the day from which no campaign can be started. */
export function DueNotice(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { dueDocuments } = useSession()
  const { pathname } = useLocation()
  return dueDocuments
    .filter(({ kind }) => pathname !== `/billing/${kind}`)
    .map(({ kind, until }) => (
      <div key={kind} className={classes.banner} role="status">
        <Group gap={10} wrap="nowrap">
          <IconSignature size={16} stroke={1.6} style={{ flexShrink: 0 }} aria-hidden />
          <Text size="sm">
            {t(isOverdue({ until }) ? `messages.due.${kind}_over` : `messages.due.${kind}`, {
              day: format.date(until),
            })}
          </Text>
        </Group>
        <Button component={Link} to={`/billing/${kind}`} size="compact-sm" variant="default">
          {t('messages.due.show')}
        </Button>
      </div>
    ))
}
