import type { Http } from '../http/http.ts'

export interface TestRequest {
  message_id: number
  campagne_id?: number | null | undefined
  emails: string[]
  test_group_id?: number | null | undefined
  member_id: number
  domain_id?: number | null | undefined
  subject_prefix: string
}

export interface TestResult {
  email: string
  outcome: string
  reply: string
}

export async function sendTestMessage(
  _http: Http,
  _clientId: number,
  _request: TestRequest,
): Promise<TestResult[]> {
  return []
}
