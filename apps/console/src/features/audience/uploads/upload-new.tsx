import { queryKeys } from '@emma/client/query-keys.ts'
import { createUpload, uploadQuota } from '@emma/contract/actions/audience.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { uploadModes } from '@emma/contract/resources/dataupload.ts'
import { FormSection } from '@emma/ui/form/record-form.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { UploadBox } from '@emma/ui/upload/upload-box.tsx'
import { Input, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { useMemberTable } from '../members/use-member-table.ts'

type Mode = (typeof uploadModes)[number]

const blacklistModes: readonly Mode[] = ['upsert', 'insert', 'delete']
const memberModes: readonly Mode[] = ['upsert', 'insert', 'update', 'unsubscribe', 'delete']
/** Maximum size of an unpacked file in bytes; the server enforces the same. */
const largestFile = 4 * 1024 ** 3
const blacklists = resourceSource(api, blacklist, { toOption: row => ({ label: row.name }) })

/** First step of an upload: target (`?table=7` or `?blacklist=3`), mode and file. */
export function UploadNew(): ReactNode {
  const { t } = useTranslation()
  const ids = useId()
  const navigate = useNavigate()
  const search: { blacklist?: unknown } = useSearch({ strict: false })
  const { datasources, chosen, choose, isPending } = useMemberTable()
  const [listId, setListId] = useState(search.blacklist === undefined ? null : Number(search.blacklist))
  const [mode, setMode] = useState<Mode>('upsert')
  const quota = useQuery({
    queryKey: queryKeys.action(uploadQuota),
    queryFn: ({ signal }) => api.call(uploadQuota, { signal, ignoreCache: true }),
  })
  const isBlacklist = listId !== null
  if (!isBlacklist && !isPending && datasources.length === 0) return <NoDatasource />
  const target = isBlacklist ? { blacklist_id: listId } : { member_table_id: chosen?.member_table_id }
  const left = quota.data ? quota.data.bytes_limit - quota.data.bytes_used : largestFile

  return (
    // The layout of form sections depends on the width of the container `form`, which this page has to define.
    <div style={{ containerName: 'form', containerType: 'inline-size' }}>
      <FormSection
        title={t('audience.dataupload.sections.target')}
        description={t(
          isBlacklist
            ? 'audience.dataupload.sections.blacklist_text'
            : 'audience.dataupload.sections.target_text',
        )}
      >
        <Input.Wrapper
          label={t(isBlacklist ? 'audience.dataupload.a_blacklist' : 'audience.datasource')}
          labelProps={{ htmlFor: `${ids}-target` }}
        >
          {isBlacklist ? (
            <Select
              inputId={`${ids}-target`}
              source={blacklists}
              value={listId}
              onChange={id => id !== null && setListId(id)}
              isClearable={false}
            />
          ) : (
            <Select
              inputId={`${ids}-target`}
              options={datasources.map(one => ({ value: one.member_table_id, label: one.name }))}
              value={chosen?.member_table_id ?? null}
              onChange={id => id !== null && choose(id)}
              isClearable={false}
            />
          )}
        </Input.Wrapper>
        <Radio.Group
          label={t('audience.dataupload.fields.mode')}
          value={mode}
          onChange={value => setMode(uploadModes.find(known => known === value) ?? 'upsert')}
        >
          <Stack gap="xs" mt={6}>
            {(isBlacklist ? blacklistModes : memberModes).map(value => (
              <Radio
                key={value}
                size="sm"
                value={value}
                label={t(`audience.dataupload.modes.${value}`)}
                description={t(
                  `audience.dataupload.${isBlacklist ? 'blacklist_mode_texts' : 'mode_texts'}.${value}`,
                )}
              />
            ))}
          </Stack>
        </Radio.Group>
      </FormSection>
      <FormSection
        title={t('audience.dataupload.sections.file')}
        description={t('audience.dataupload.sections.file_text')}
      >
        <UploadBox
          accept={['.csv', '.txt', '.tsv', '.gz', '.xlsx']}
          maxSize={Math.min(left, largestFile)}
          isDisabled={!isBlacklist && !chosen}
          upload={(file, { onProgress, signal }) =>
            api.upload(createUpload, {
              file,
              filename: file.name,
              parts: { data: { ...target, mode, filename: file.name } },
              signal,
              // Compression is fast compared with the upload: a tenth of the progress bar.
              onProgress: ({ phase, share }) =>
                onProgress(phase === 'packing' ? share / 10 : 0.1 + share * 0.9),
            })
          }
          onUploaded={({ id }) =>
            void navigate({ to: '/subscribers/dataupload/edit/$id', params: { id: String(id) } })
          }
        />
      </FormSection>
    </div>
  )
}
