/** Header that marks email of the installation itself (invitations, links for passwords). */
export const systemMailHeader = 'X-Emma-System-Mail'
