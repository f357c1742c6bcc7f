/** Identifies this software in files and associations (PS3.10 §7.1, PS3.7 §D.3.3.2). */
export const implementationClassUid = '2.25.161036478225183047253291190434573905417';
export const implementationVersionName = 'RADWORK';
