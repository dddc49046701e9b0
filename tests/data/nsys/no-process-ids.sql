-- An old export: kernels without globalPid, names as text; two processes, 7 and 9,
-- told apart by the calls that launched their kernels. 3 us and 5 us of compute.
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, shortName TEXT);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (10000, 13000, 0, 7, 1, 'gemm'), (12000, 16000, 0, 7, 2, 'ncclKernel_AllReduce_RING_LL_Sum_float'),
  (11000, 16000, 1, 7, 3, 'gemm');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,
  globalTid INTEGER, correlationId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (9000, 9100, 117440519, 1),
  (9200, 9300, 117440519, 2), (9000, 9100, 150994953, 3);
