export type {
  Credentials,
  Diagnosis,
  FirstDifference,
  RefusedForm,
  RefusedRequest,
} from '../../mock/common/diagnosis.js';
