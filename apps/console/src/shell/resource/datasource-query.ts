/** Query of the datasources with their columns, loaded by the start-up (R135). */
export const datasourceQuery = { included: ['emmamembertableschema'] }
