import { type ResendTarget, resendCampaign, resendTargets } from '@emma/contract/actions/campaigns.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Alert, Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../shell/i18n/error-text.ts'
import { api } from '../../shell/session/api.ts'
import type { Report } from './report-query.ts'

interface ResendDialogProps {
  report: Pick<Report, 'campagne_id' | 'name'>
  onClose: () => void
}

/** Makes a draft of a campaign for those who have not reacted, and opens it. */
export function ResendDialog({ report, onClose }: ResendDialogProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const text = (key: string, values: Record<string, unknown> = {}) => t(`reports.resend.${key}`, values)
  const [to, setTo] = useState<ResendTarget>('not_opened')
  const [subject, setSubject] = useState('')
  const making = useMutation({
    mutationFn: () =>
      api.call(resendCampaign, {
        params: { id: report.campagne_id },
        body: {
          to,
          name: `${report.name.slice(0, 200)} (${text(`added.${to}`)})`,
          subject: subject.trim() === '' ? null : subject,
        },
      }),
    onSuccess: ({ campagne_id }) => navigate({ to: `/campaigns/edit/${campagne_id}` }),
  })
  return (
    <Dialog title={text('title', { name: report.name })} isOpen onClose={onClose}>
      <Stack>
        <Radio.Group
          label={text('to')}
          value={to}
          onChange={value => setTo(resendTargets.find(each => each === value) ?? 'not_opened')}
        >
          <Stack gap="xs" mt="xs">
            {resendTargets.map(value => (
              <Radio key={value} value={value} label={text(`targets.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={text('subject')}
          description={text('subject_text')}
          maxLength={255}
          value={subject}
          onChange={event => setSubject(event.currentTarget.value)}
        />
        {making.error && (
          <Alert variant="light" color="red">
            {errorText(making.error)}
          </Alert>
        )}
        <Group>
          <Button loading={making.isPending} onClick={() => making.mutate()}>
            {text('make')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
