import { queryKeys } from '@emma/client/query-keys.ts'
import { readSystemSettings } from '@emma/contract/actions/system-settings.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { AuditSettings } from './audit-settings.tsx'
import { FeedbackLoopSettings } from './feedback-loop-settings.tsx'
import { MailSettings } from './mail-settings.tsx'
import { RealDelivery } from './real-delivery.tsx'
import { SignInSettings } from './sign-in-settings.tsx'
import { BeefreeSettings } from './beefree-settings.tsx'
import { SmsSettings } from './sms-settings.tsx'
import { WritingSettings } from './writing-settings.tsx'

/** Settings of the installation: delivery, system email, SMS, sign-in by an identity provider, writing service, Beefree, feedback loops, audit log. */
export default function Installation(): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(readSystemSettings, {}),
    queryFn: () => api.call(readSystemSettings, { ignoreCache: true }),
  })
  return (
    <Page title={t('screens.security')} subtitle={t('platform.installation.text')}>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <FormSkeleton />}
      {data && (
        // Saving a section remounts only that one, so that input in the others is kept.
        <Stack maw={760} gap="lg">
          <RealDelivery isOn={data.real_delivery} />
          <MailSettings key={`mail ${JSON.stringify(data.mail)}`} settings={data.mail} />
          <SignInSettings key={`sign-in ${JSON.stringify(data.sign_in)}`} settings={data.sign_in} />
          <SmsSettings key={`sms ${JSON.stringify(data.sms)}`} settings={data.sms} />
          <WritingSettings key={`writing ${JSON.stringify(data.writing)}`} settings={data.writing} />
          <BeefreeSettings
            key={`beefree ${JSON.stringify([data.beefree, data.beefree_export])}`}
            settings={data.beefree}
            exportSettings={data.beefree_export}
          />
          <FeedbackLoopSettings
            key={`feedback ${JSON.stringify(data.feedback_loops)}`}
            senders={data.feedback_loops.senders}
          />
          <AuditSettings key={`audit ${data.audit_days}`} days={data.audit_days} />
        </Stack>
      )}
    </Page>
  )
}
