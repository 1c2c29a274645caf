import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { client } from '@emma/contract/resources/client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { list } from '@emma/contract/resources/list.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { message } from '@emma/contract/resources/message.ts'
import { role } from '@emma/contract/resources/role.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { user } from '@emma/contract/resources/user.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../session/api.ts'
import { labelOf } from './record-label.ts'

/** Referenced resource by field name. */
const referred: Readonly<Record<string, Resource>> = {
  address_ids: testaddress,
  blacklist_id: blacklist,
  blacklist_ids: blacklist,
  campagne_id: campaign,
  campaign_ids: campaign,
  capping_id: capping,
  client_id: client,
  copied_from: campaign,
  domain_id: domain,
  esp_id: espLogin,
  exclude_list_ids: list,
  list_id: list,
  login_ids: imapLogin,
  mailclass_id: mailclass,
  manager_id: user,
  member_table_id: membertable,
  message_id: message,
  role_id: role,
  setting_id: imapSetting,
  test_group_id: testgroup,
  user_id: user,
}

/** The resource that a field references; undefined for other fields. */
export function resourceOfField(field: string): Resource | undefined {
  return referred[field]
}

/** Name of a record; its id if it no longer exists or the user may not read it. */
export function RecordName({ resource, id }: { resource: Resource; id: number }): ReactNode {
  const { data } = useQuery({
    queryKey: [...queryKeys.record(resource, id), 'name'],
    queryFn: ({ signal }) => api.find(resource, id, {}, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  return (data && labelOf(resource, data)) || `#${id}`
}
