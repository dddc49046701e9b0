-- Rank 1 of 4 in communicator 0xab. us     1     2     3     4     5     6     7     8
-- all-reduce of 1000 bytes                 [   ]
-- all-gather, 300 bytes of each rank                   [   ]
-- group of send (70 bytes) and receive (50 bytes)            start [s][r][end]
-- reduce-scatter whose call launched two kernels                                [      ]
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'ncclDevKernel_Generic(x)'), (2, 'ncclAllReduce'),
  (3, 'ncclAllGather'), (4, 'ncclGroupStart'), (5, 'ncclSend'), (6, 'ncclRecv'),
  (7, 'ncclGroupEnd'), (8, 'ncclReduceScatter'), (9, 'ncclCommInitRank');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (11000, 12000, 0, 7, 1, 16777216000, 1), (12000, 14000, 0, 7, 2, 16777216000, 1),
  (14000, 17000, 0, 7, 3, 16777216000, 1), (17000, 21000, 0, 7, 4, 16777216000, 1),
  (21000, 26000, 0, 7, 5, 16777216000, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, globalTid INTEGER,
  correlationId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1500, 16777217000, 1),
  (3500, 16777217000, 2), (6500, 16777217000, 3), (7500, 16777217000, 4),
  (7700, 16777217000, 5);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER,
  idx INTEGER, type INTEGER, name TEXT, offset INTEGER);
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
  (1, 258, 0, 18, 'NCCL communicator ID', NULL), (1, 258, 1, 5, 'No. of ranks', 8),
  (1, 258, 2, 5, 'Rank', 12),
  (1, 259, 0, 18, 'NCCL communicator ID', NULL), (1, 259, 1, 22, 'Message size [bytes]', 8),
  (1, 259, 2, 77, 'Reduction operation', 16);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, textId INTEGER,
  globalTid INTEGER, jsonText TEXT, binaryData BLOB);
-- Its rows hold bytes: the test packs them.
