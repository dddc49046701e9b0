-- Two steps of process 1000 (threads 1000 and 1001), the GPU far behind the CPU:
-- us         0           10          20          30          40
-- thread 1000 [ step 3                ][ step 4               ]
--             [fwd][ backward   ][opt] [fwd][ backward  ][opt]
-- thread 1001      .launches of the backward pass.
-- stream 7               [gemm 12-15][grad 15-19][adamw 23-24] [gemm 30-33] [grad 33-38] [adamw 42-43]
-- stream 20                              [all-reduce 17-22]                 [all-reduce 35-41]
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'gemm(int)'), (2, 'grad(int)'), (3, 'adamw(int)'),
  (4, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)'), (5, 'cudaLaunchKernel'),
  (6, 'step 3'), (7, 'ncclAllReduce');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER, shortName INTEGER, graphNodeId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (12000, 15000, 0, 1, 7, 1, 16777216000, 1, 1, NULL),
  (15000, 19000, 0, 1, 7, 2, 16777216000, 2, 2, NULL),
  (17000, 22000, 0, 1, 20, 3, 16777216000, 4, 4, NULL),
  (23000, 24000, 0, 1, 7, 4, 16777216000, 3, 3, NULL),
  (30000, 33000, 0, 1, 7, 5, 16777216000, 1, 1, NULL),
  (33000, 38000, 0, 1, 7, 6, 16777216000, 2, 2, NULL),
  (35000, 41000, 0, 1, 20, 7, 16777216000, 4, 4, NULL),
  (42000, 43000, 0, 1, 7, 8, 16777216000, 3, 3, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,
  eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (2000, 2500, 0, 16777217000, 1, 5), (6000, 6500, 0, 16777217001, 2, 5),
  (8000, 8500, 0, 16777217001, 3, 5), (13000, 13500, 0, 16777217000, 4, 5),
  (17500, 18000, 0, 16777217000, 5, 5), (20000, 20500, 0, 16777217001, 6, 5),
  (22000, 22500, 0, 16777217001, 7, 5), (26000, 26500, 0, 16777217000, 8, 5),
  (26600, 26700, 0, 16777217000, 99, 5);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,
  globalTid INTEGER, textId INTEGER);
INSERT INTO NVTX_EVENTS VALUES
  (1000, 15000, 59, NULL, 16777217000, 6), (16000, 28000, 59, 'step 4', 16777217000, NULL),
  (1500, 5000, 59, 'forward', 16777217000, NULL), (5000, 12000, 59, 'backward', 16777217000, NULL),
  (12000, 14000, 59, 'optimizer', 16777217000, NULL),
  (17000, 19000, 59, 'forward', 16777217000, NULL), (19000, 25000, 59, 'backward', 16777217000, NULL),
  (25000, 27000, 59, 'optimizer', 16777217000, NULL),
  (1700, 1800, 34, 'step 99', 16777217000, NULL);
