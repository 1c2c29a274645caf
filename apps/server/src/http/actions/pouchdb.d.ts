// Types of PouchDB that the tests use. (The published types redeclare Node's Buffer and Blob globally.)

declare module 'pouchdb-core' {
  interface Written {
    ok: true
    id: string
    rev: string
  }
  interface Failed {
    status: number
    name: string
    id?: string
    rev?: undefined
  }
  export interface Stored {
    _id: string
    _rev: string
    _conflicts?: string[]
    name?: string
    [field: string]: unknown
  }
  interface Changes {
    results: { id: string; seq: number; doc?: Stored }[]
    last_seq: number
  }
  interface LiveChanges extends Promise<Changes> {
    on(event: 'change', heard: (change: { id: string }) => void): LiveChanges
    cancel(): void
  }
  export interface Database {
    put(document: Record<string, unknown>): Promise<Written>
    post(document: Record<string, unknown>): Promise<Written>
    get(id: string, options?: { conflicts?: boolean }): Promise<Stored>
    remove(document: Stored): Promise<Written>
    remove(id: string, rev: string): Promise<Written>
    bulkDocs(documents: Record<string, unknown>[]): Promise<(Written | Failed)[]>
    allDocs(options?: { include_docs?: boolean }): Promise<{ rows: { id: string; doc?: Stored }[] }>
    info(): Promise<{ doc_count: number }>
    changes(options: { since: number; include_docs?: boolean; live?: boolean }): LiveChanges
    find(query: {
      selector: Record<string, unknown>
      sort?: Record<string, 'asc' | 'desc'>[]
      fields?: string[]
      limit?: number
    }): Promise<{ docs: Stored[] }>
    createIndex(index: { index: { fields: string[]; name: string } }): Promise<{ result: string }>
    getIndexes(): Promise<{ indexes: { name: string; ddoc: string | null }[] }>
    deleteIndex(index: { name: string; ddoc: string }): Promise<unknown>
  }
  interface Options {
    fetch: (url: string | URL | Request, options?: RequestInit) => Promise<Response>
  }
  interface PouchDBStatic {
    new (address: string, options: Options): Database
    plugin(plugin: object): PouchDBStatic
    replicate(from: Database, to: Database): Promise<{ docs_written: number }>
  }
  const PouchDB: PouchDBStatic
  export default PouchDB
}

declare module 'pouchdb-adapter-http' {
  const plugin: object
  export default plugin
}
declare module 'pouchdb-find' {
  const plugin: object
  export default plugin
}
declare module 'pouchdb-replication' {
  const plugin: object
  export default plugin
}
