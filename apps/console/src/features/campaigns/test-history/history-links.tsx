import { queryKeys } from '@emma/client/query-keys.ts'
import { listTestShares, revokeTestShare, shareTestHistory } from '@emma/contract/actions/test-campaigns.ts'
import { Button, Group } from '@mantine/core'
import { IconHistory, IconShare } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ShareDialog } from '../../../shell/resource/share-dialog.tsx'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { Campaign } from '../editor/campaign-steps.ts'

/** Link to the test history of a campaign, and its share links. */
export function HistoryLinks({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const mayShare = usePermission({ all: ['EmmaTestCampaign:post'] })
  const [isOpen, setOpen] = useState(false)
  const { campagne_id: campaign_id, client_id, name } = campaign
  const params = { client_id, campaign_id }
  const path = `/testhistory/${campaign_id}`
  return (
    <Group gap="xs">
      <Button component={Link} to={path} variant="default" leftSection={<IconHistory size={16} />}>
        {t('screens.test_history')}
      </Button>
      {mayShare && (
        <Button variant="subtle" leftSection={<IconShare size={16} />} onClick={() => setOpen(true)}>
          {t('campaigns.history.share')}
        </Button>
      )}
      {isOpen && (
        <ShareDialog
          name={name}
          about={t('campaigns.history.share_text')}
          queryKey={queryKeys.action(listTestShares, params)}
          list={signal => api.call(listTestShares, { params, ignoreCache: true, signal })}
          make={days => api.call(shareTestHistory, { params, body: { days } })}
          revoke={share_id => api.call(revokeTestShare, { params: { ...params, share_id } })}
          path={path}
          onClose={() => setOpen(false)}
        />
      )}
    </Group>
  )
}
