import type { Http } from '../http.ts'

/** Uploads: take the file, start, cancel, fetch the error file. */
export function mountUploadActions(_http: Http): void {}
