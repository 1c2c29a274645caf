import { queryKeys } from '@emma/client/query-keys.ts'
import { listFiles } from '@emma/contract/actions/files.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api, fileStorage } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { type FileItem, itemOfFile, itemOfMeta } from './file-item.ts'

const FILES = 'files'

/** Most results of a search, and entries of the bin that are shown. */
const SHOWN = 500

interface Listing {
  items: FileItem[]
  isWritable: boolean
}

/** Entries of a folder. */
export function useFolder(path: string, enabled = true) {
  return useQuery({
    queryKey: [FILES, 'folder', path],
    queryFn: async ({ signal }): Promise<Listing> => {
      const { meta, items } = await fileStorage.list(path, signal)
      return { items: items.map(itemOfMeta), isWritable: meta.permissions === 'rw' }
    },
    enabled,
  })
}

/** Files of all folders that match the text, or the bin. */
export function useFoundFiles(search: string, deleted: boolean, enabled: boolean) {
  const clientId = useClientId()
  return useQuery({
    queryKey: [FILES, ...queryKeys.action(listFiles, { search, deleted, clientId })],
    queryFn: async ({ signal }): Promise<Listing> => {
      const query = { search, deleted, limit: SHOWN, offset: 0 }
      const { data } = await api.call(listFiles, { query, signal, ignoreCache: true })
      return { items: data.map(file => itemOfFile(file, clientId)), isWritable: true }
    },
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Loads all listings again, after a change. */
export function refreshFiles(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [FILES] })
}
