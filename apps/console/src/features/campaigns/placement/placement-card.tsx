import { queryKeys } from '@emma/client/query-keys.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { ipci } from '@emma/contract/resources/ipci.ts'
import { mostMailboxes } from '@emma/contract/placements.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { MultiSelect } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, Input, NativeSelect, Stack, Text } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import type { Campaign } from '../editor/campaign-steps.ts'
import { PlacementResults } from './placement-results.tsx'
import { isOpen, usePlacement } from './use-placement.ts'

/** Card that sends a campaign's email to the test mailboxes and shows where it arrives. Nothing without permission. */
export function PlacementCard({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const mayRead = usePermission({ all: ['IPCI:get'] })
  const { mayCreate } = useRights(ipci)
  const [chosenId, setChosenId] = useState<number | null>(null)
  const placement = usePlacement(campaign.campagne_id, mayRead, chosenId)
  if (!mayRead) return null
  const { checks, check, results } = placement
  return (
    <Card title={t('campaigns.placement.title')} isFlush>
      {mayCreate && !checks.some(isOpen) && (
        <StartCheck campaign={campaign} count={checks.length} onStarted={setChosenId} />
      )}
      {placement.error && checks.length === 0 && <ErrorState error={placement.error} />}
      {checks.length > 1 && check && (
        <NativeSelect
          px="md"
          pt="sm"
          label={t('campaigns.placement.which')}
          value={check.ipci_id}
          data={checks.map(each => ({
            value: String(each.ipci_id),
            label: `${each.name} · ${format.dateTime(each.sent_at ?? each.created_at)}`,
          }))}
          onChange={event => setChosenId(Number(event.currentTarget.value))}
        />
      )}
      {check && <PlacementResults check={check} results={results} />}
    </Card>
  )
}

interface StartCheckProps {
  campaign: Campaign
  /** Checks of the campaign so far. */
  count: number
  onStarted: (id: number) => void
}

/** Choice of the mailboxes, all of them at first, and the button that starts the check. */
function StartCheck({ campaign, count, onStarted }: StartCheckProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values: Record<string, unknown> = {}) => t(`campaigns.placement.${key}`, values)
  const mayList = usePermission({ all: ['EmmaImapLogin:get'] })
  const mailboxes = useQuery({
    queryKey: queryKeys.list(imapLogin, { filters: { onlyactive: [true] } }),
    queryFn: ({ signal }) =>
      api.listAll(
        imapLogin,
        {
          filters: { onlyactive: [true] },
          included: ['imap_setting'],
          sort: { field: 'email', descending: false },
        },
        { signal },
      ),
    enabled: mayList,
  })
  const rows = mailboxes.data ?? []
  const [picked, setPicked] = useState<readonly number[] | null>(null)
  const chosen = picked ?? rows.slice(0, mostMailboxes).map(({ login_id }) => login_id)
  const source = useMemo(
    () =>
      resourceSource(api, imapLogin, {
        toOption: row => ({ label: row.email }),
        filters: { onlyactive: [true] },
        sort: { field: 'email', descending: false },
      }),
    [],
  )
  const { message_id, domain_id, mailclass_id } = campaign
  const starting = useMutation({
    mutationFn: () =>
      api.create(ipci, {
        name: count === 0 ? campaign.name : `${campaign.name} (${count + 1})`,
        campagne_id: campaign.campagne_id,
        message_id: message_id ?? 0,
        domain_id: domain_id ?? 0,
        mailclass_id: mailclass_id ?? 0,
        login_ids: [...chosen],
      }),
    onSuccess: created => {
      onStarted(created.ipci_id)
      return refresh(ipci)
    },
  })
  const isIncomplete = message_id === null || domain_id === null || mailclass_id === null
  if (mailboxes.data && rows.length === 0)
    return (
      <Stack gap="xs" p="md" align="start">
        <Text size="sm">{text('none_text')}</Text>
        <Button component={Link} to="/settings/testmailboxes/edit/new" variant="default">
          {text('none_action')}
        </Button>
      </Stack>
    )
  return (
    <Stack gap="sm" p="md" align="start">
      <Text size="sm">{text('text')}</Text>
      <Input.Wrapper
        id="placement-mailboxes"
        w="100%"
        label={text('mailboxes')}
        labelProps={{ htmlFor: 'placement-mailboxes' }}
      >
        <MultiSelect
          inputId="placement-mailboxes"
          label={text('mailboxes')}
          source={source}
          value={chosen}
          onChange={setPicked}
        />
      </Input.Wrapper>
      {isIncomplete && (
        <Text size="sm" c="dimmed">
          {text('incomplete')}
        </Text>
      )}
      {starting.error && (
        <Alert variant="light" color="red">
          {errorText(starting.error)}
        </Alert>
      )}
      <Button
        leftSection={<IconInbox size={16} />}
        variant="default"
        disabled={isIncomplete || chosen.length === 0}
        loading={starting.isPending}
        onClick={() => starting.mutate()}
      >
        {text('start', { count: chosen.length })}
      </Button>
    </Stack>
  )
}
