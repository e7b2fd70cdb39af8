/** What credentials of a device may do at most, whatever their role may: one action, which knows no resources. */
export const devicePolicy = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'rekognition:StartFaceLivenessSession', Resource: '*' }],
}
