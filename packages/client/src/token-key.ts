/** Storage key of the login token in the browser (R139). */
export const tokenKey = 'loginToken'
