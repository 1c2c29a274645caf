import { email as emailField } from '@emma/contract/fields.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { testMessage } from '@emma/contract/actions/content.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { TagsBox } from '@emma/ui/form/tags-box.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import classes from '../content.module.css'

export interface TestTargets {
  emails: string[]
  test_group_id?: number
}

interface TestSendProps {
  sendTo: (targets: TestTargets) => Promise<z.output<typeof testMessage.response>>
  /** What is sent must be saved first. */
  isDirty: boolean
}

/** Sends a template to addresses or a test group and shows the servers' replies. */
export const TestSend = memo(function TestSend({ sendTo, isDirty }: TestSendProps): ReactNode {
  const { t } = useTranslation()
  const mayTest = usePermission({ all: ['EmmaTestCampaign:post'] })
  const { groups, addresses } = useTestTargets()
  const [emails, setEmails] = useState<string[]>([])
  const format = useFormat()
  const bad = emails.filter(address => !isAddress(address))
  const [groupId, setGroupId] = useState<number | null>(null)
  const send = useMutation({
    mutationFn: () => sendTo({ emails, ...(groupId === null ? {} : { test_group_id: groupId }) }),
    onError: showError,
  })
  if (!mayTest) return null
  return (
    <Card title={t('content.test.title')}>
      <Stack gap="sm">
        <TagsBox
          label={t('content.test.addresses')}
          description={t('content.test.hint')}
          placeholder={emails.length === 0 ? t('content.test.placeholder') : ''}
          data={addresses}
          value={emails}
          onChange={setEmails}
          splitChars={[',', ' ', ';', '\n']}
          isValid={isAddress}
          error={
            bad.length > 0 &&
            t('content.test.bad_address', { count: bad.length, addresses: format.list(bad) })
          }
        />
        {groups.length > 0 && (
          <NativeSelect
            label={t('content.test.group')}
            value={groupId === null ? '' : String(groupId)}
            data={[
              { value: '', label: t('content.test.no_group') },
              ...groups.map(group => ({ value: String(group.id), label: group.name })),
            ]}
            onChange={event => {
              const { value } = event.currentTarget
              setGroupId(value === '' ? null : Number(value))
            }}
          />
        )}
        <Button
          w="fit-content"
          variant="default"
          leftSection={<IconSend size={16} />}
          disabled={isDirty}
          loading={send.isPending}
          onClick={() => {
            if (emails.length === 0 && groupId === null) notify.info(t('content.test.nobody'))
            else if (bad.length === 0) send.mutate()
          }}
        >
          {t('content.test.send')}
        </Button>
        {isDirty && (
          <Text size="sm" c="dimmed">
            {t('content.test.save_first')}
          </Text>
        )}
        {send.data && (
          <ul className={classes.results} aria-live="polite">
            {send.data.results.map(result => (
              <li key={result.email}>
                <StatusBadge tone={result.outcome === 'sent' ? 'positive' : 'negative'}>
                  {t(`content.test.outcomes.${result.outcome}`, { defaultValue: result.outcome })}
                </StatusBadge>
                <span>
                  {result.email}
                  <span className={classes.place}>
                    {textOfFault({ ...result, code: result.reason, message: result.reply })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Card>
  )
})

function isAddress(address: string): boolean {
  return emailField.safeParse(address).success
}

/** Test groups and the addresses of test subscribers. */
function useTestTargets(): { groups: { id: number; name: string }[]; addresses: string[] } {
  const mayGroups = usePermission({ all: ['TestGroup:get'] })
  const mayAddresses = usePermission({ all: ['EmmaTestAddress:get'] })
  const groups = useQuery({
    queryKey: [...queryKeys.lists(testgroup), 'all'],
    queryFn: ({ signal }) => api.listAll(testgroup, { sort: { field: 'name' } }, { signal }),
    enabled: mayGroups,
    staleTime: 60_000,
  })
  const addresses = useQuery({
    queryKey: [...queryKeys.lists(testaddress), 'tests'],
    queryFn: ({ signal }) =>
      api.listAll(testaddress, { filters: { type: 'testaddr', onlyactive: true } }, { signal }),
    enabled: mayAddresses,
    staleTime: 60_000,
  })
  return { groups: groups.data ?? [], addresses: (addresses.data ?? []).map(({ email }) => email) }
}
