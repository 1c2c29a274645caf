/** The question by which datasources are asked for at the start, with their columns (R135). */
export const datasourceQuery = { included: ['emmamembertableschema'] }
