/** Header field of emails that the installation itself sends (invitations, password links). */
export const systemMailHeader = 'X-Emma-System-Mail'
