import { Refusal } from '../refusal.ts'

// In the words of Rekognition, with the status that the fault of each error has in its model.

export const invalidParameter = (message = 'Request has Invalid Parameters'): Refusal =>
  new Refusal('InvalidParameterException', message)

export const accessDenied = (message: string): Refusal => new Refusal('AccessDeniedException', message)

export const sessionNotFound = (): Refusal =>
  new Refusal('SessionNotFoundException', 'Session not found or has expired.')

export const imageTooLarge = (): Refusal =>
  new Refusal('ImageTooLargeException', 'Image size is too large. The maximum is 5242880 bytes.')

export const invalidImageFormat = (): Refusal =>
  new Refusal('InvalidImageFormatException', 'Request has invalid image format')

export const invalidS3Object = (): Refusal =>
  new Refusal(
    'InvalidS3ObjectException',
    'Unable to get object metadata from S3. Check object key, region and/or access permissions.',
  )

export const throughputExceeded = (): Refusal =>
  new Refusal('ProvisionedThroughputExceededException', 'Provisioned rate exceeded.')

export const throttled = (): Refusal => new Refusal('ThrottlingException', 'Rate exceeded', 500)

export const internalError = (): Refusal => new Refusal('InternalServerError', 'Internal server error', 500)
