export type { Diagnosis, FirstDifference, RefusedForm, RefusedRequest } from '../../mock/common/diagnosis.js';
